;;; ndscript-eglot-test.el --- The language server in Emacs -*- lexical-binding: t -*-

;; emacs -q --batch -f package-initialize -L . -l ndscript-eglot-test.el -f ert-run-tests-batch-and-exit
;; The program is the one that NDSCRIPT names.

(require 'ert)
(require 'eglot)
(require 'flymake)
(require 'ndscript-mode)

(defun ndscript-eglot-test--wait (what holds)
  "Wait until HOLDS gives something, and return that; WHAT is waited for."
  (let ((until (+ (float-time) 20)) found)
    (while (not (or (setq found (funcall holds)) (> (float-time) until)))
      (accept-process-output nil 0.05))
    (or found (ert-fail (list "nothing came of this" what)))))

(defun ndscript-eglot-test--told ()
  "What flymake shows of the buffer, after it has looked at the latest text."
  (eglot--signal-textDocument/didChange)
  (flymake-start)
  (accept-process-output nil 0.05)
  (mapcar (lambda (told) (cons (line-number-at-pos (flymake-diagnostic-beg told)) (flymake-diagnostic-text told)))
          (flymake-diagnostics)))

(ert-deftest ndscript-eglot-works-on-an-example ()
  (let* ((ndscript-program (getenv "NDSCRIPT"))
         (folder (make-temp-file "ndscript" t))
         (path (expand-file-name "queens.nds" folder))
         (here (file-name-directory (locate-library "ndscript-mode")))
         (eglot-sync-connect 20)
         (eglot-autoshutdown nil)
         whole)
    (copy-file (expand-file-name "../../examples/queens/short.nds" here) path)
    (with-current-buffer (find-file-noselect path)
      (should (eq major-mode 'ndscript-mode))
      (setq whole (buffer-string))
      (call-interactively #'eglot)
      (ndscript-eglot-test--wait "a server" #'eglot-current-server)
      ;; An error is told, and is gone when it is mended.
      (goto-char (point-max))
      (insert "print(1)")
      (let ((told (ndscript-eglot-test--wait "an error" #'ndscript-eglot-test--told)))
        (should (equal (length told) 1))
        (should (equal (caar told) (line-number-at-pos (point-max))))
        (should (string-match-p "a `;` is missing" (cdar told))))
      (delete-char -8)
      (insert "var total = 1;\nfunction twice(number) { return number+number; }\nprint(twice( total ));\n")
      (ndscript-eglot-test--wait "no error" (lambda () (not (ndscript-eglot-test--told))))
      ;; A function of the program is completed.
      (search-backward "ice( total")
      (pcase-let ((`(,begin ,end ,table . ,_) (eglot-completion-at-point)))
        (should (equal (buffer-substring begin end) "twice"))
        (should (member "twice" (mapcar #'substring-no-properties (all-completions "tw" table)))))
      ;; A rename changes both places.
      (search-forward "total")
      (backward-char 2)
      (eglot-rename "sum")
      (goto-char (point-max))
      (should (string-suffix-p "print(twice( sum ));\n" (buffer-string)))
      (should (string-match-p "^var sum = 1;$" (buffer-string)))
      ;; The whole document gets the one form.
      (eglot-format-buffer)
      (should (equal (buffer-string)
                     (concat whole "var sum = 1;\nfunction twice(number) { return number + number; }\n"
                             "print(twice(sum));\n")))
      (eglot-shutdown (eglot-current-server))
      (set-buffer-modified-p nil)
      (kill-buffer))
    (delete-directory folder t)))

;;; ndscript-eglot-test.el ends here
