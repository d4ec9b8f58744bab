;;; ndscript-mode-test.el --- Tests -*- lexical-binding: t -*-

;; emacs -q --batch -f package-initialize -L . -l ndscript-mode-test.el -f ert-run-tests-batch-and-exit
;; The tokens of the real lexer are in the file that NDSCRIPT_TOKENS names.

(require 'ert)
(require 'imenu)
(require 'ndscript-mode)

(defun ndscript-test--files ()
  "Examples and tests of strings: their names, each with tokens (KIND FROM TO)."
  (with-temp-buffer
    (insert-file-contents (getenv "NDSCRIPT_TOKENS"))
    (let (files current)
      (while (not (eobp))
        (if (looking-at "file \\(.*\\) \\([a-z]+\\)$")
            (let ((name (match-string 1)))
              (setq current (and (equal (match-string 2) "parsed")
                                 (string-match-p "examples/\\|tests/language/\\(strings\\|literals\\)/" name)
                                 (list name)))
              (when current (push current files)))
          (when (and current (looking-at "\\([A-Za-z]+\\) \\([0-9]+\\) \\([0-9]+\\)$"))
            (nconc current (list (list (intern (match-string 1))
                                       (string-to-number (match-string 2))
                                       (string-to-number (match-string 3)))))))
        (forward-line))
      files)))

(defun ndscript-test--kind (position)
  "What the face at POSITION stands for."
  (let ((face (get-text-property position 'face)))
    (pcase (if (consp face) (car face) face)
      ('font-lock-string-face 'String)
      ((or 'font-lock-comment-face 'font-lock-comment-delimiter-face) 'Comment)
      ((or 'font-lock-keyword-face 'font-lock-type-face 'font-lock-constant-face) 'Keyword)
      ((or 'font-lock-function-name-face 'font-lock-variable-name-face) 'Name)
      ('nil 'plain)
      (other other))))

(ert-deftest ndscript-colors-are-what-the-lexer-says ()
  (let ((compared 0) wrong)
    (dolist (file (ndscript-test--files))
      (let ((coding-system-for-read 'utf-8-unix))
        (with-temp-buffer
          (insert-file-contents (car file))
          (ndscript-mode)
          (font-lock-ensure)
          (setq compared (1+ compared))
          (dolist (token (cdr file))
            (pcase-let* ((`(,kind ,from ,to) token)
                         (begin (byte-to-position (1+ from)))
                         (last (byte-to-position to)))
              (dolist (position (list begin last))
                (let ((found (ndscript-test--kind position)))
                  (unless (or (eq found kind)
                              (and (eq found 'plain) (memq kind '(Name Number Operator Bracket))))
                    (push (format "%s:%d: %S is %s, not %s" (car file) (line-number-at-pos position)
                                  (buffer-substring begin (1+ last)) kind found)
                          wrong)))))))))
    (should (> compared 40))
    (should (equal (last wrong 10) nil))))

(ert-deftest ndscript-files-have-the-mode ()
  (let ((folder (make-temp-file "ndscript" t)))
    (dolist (case '(("a.nds" . "print(1);") ("script" . "#!/usr/bin/env ndscript\nprint(1);")))
      (let ((path (expand-file-name (car case) folder)))
        (write-region (cdr case) nil path)
        (with-current-buffer (find-file-noselect path)
          (should (eq major-mode 'ndscript-mode))
          (kill-buffer))))
    (delete-directory folder t)))

(ert-deftest ndscript-lines-are-indented ()
  (let ((text "function f(a) {
    while (a > 0) {
        g([
            1,
            2
        ], `${{
            x: 1
        }}
  as it is`);
    }
}
f(1);
"))
    (with-temp-buffer
      (insert (replace-regexp-in-string "^ +\\([^ a]\\)" "\\1" text))
      (ndscript-mode)
      (let ((inhibit-message t)) (indent-region (point-min) (point-max)))
      (should (equal (buffer-string) text)))))

(ert-deftest ndscript-brackets-in-templates-match ()
  (with-temp-buffer
    (insert "f(`a ) ${g(\"`\", `}`)} ( b`, 1);")
    (ndscript-mode)
    (goto-char 2)
    (forward-sexp)
    (should (looking-at ";"))))

(ert-deftest ndscript-comments-and-functions-are-known ()
  (with-temp-buffer
    (insert "function one() {}\ndeterministic function two(a) {}\n")
    (ndscript-mode)
    (should (equal (remove "*Rescan*" (mapcar #'car (imenu--make-index-alist t))) '("one" "two")))
    (comment-region (point-min) (point-max))
    (should (string-prefix-p "// function one() {}\n// deterministic" (buffer-string)))))

(ert-deftest ndscript-places-of-errors-are-links ()
  (dolist (line '("  --> maps/a b.nds:3:14" "   ╭─[ maps/a b.nds:3:14 ]"))
    (let ((entry (assq 'ndscript compilation-error-regexp-alist-alist)))
      (should (string-match (nth 1 entry) line))
      (should (equal (list (match-string 1 line) (match-string 2 line) (match-string 3 line))
                     '("maps/a b.nds" "3" "14"))))))

(ert-deftest ndscript-eglot-finds-the-server ()
  (skip-unless (require 'eglot nil t))
  (let ((found (assq 'ndscript-mode eglot-server-programs)))
    (should (equal (funcall (cdr found) nil) (list ndscript-program "lsp")))
    (let ((ndscript-server-arguments '("--host" "host.json")))
      (should (equal (funcall (cdr found) nil) (list ndscript-program "lsp" "--host" "host.json"))))))

;;; ndscript-mode-test.el ends here
