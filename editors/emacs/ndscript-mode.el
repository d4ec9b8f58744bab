;;; ndscript-mode.el --- Major mode for NDScript -*- lexical-binding: t -*-

;; Version: 0.2.0
;; Package-Requires: ((emacs "26.1"))
;; Keywords: languages

;;; Commentary:

;; Colors, indentation, running and testing of NDScript programs.  With eglot it uses the language server `ndscript lsp',
;; with dape the debugger `ndscript dap', which steps back.

;;; Code:

(require 'compile)

(defgroup ndscript nil
  "NDScript programs."
  :group 'languages)

(defcustom ndscript-program "ndscript"
  "The program `ndscript'."
  :type 'string)

(defcustom ndscript-server-arguments nil
  "What `ndscript lsp' is started with, such as \"--host\" and a file."
  :type '(repeat string)
  :risky t)

(defcustom ndscript-indent-offset 4
  "How far the inside of brackets is indented."
  :type 'integer
  :safe #'integerp)

(defconst ndscript--name "[[:alpha:]_][[:alnum:]_]*")

(defconst ndscript--controls
  '("if" "else" "while" "for" "foreach" "in" "break" "continue" "choose" "or" "fail" "return" "import"))

(defconst ndscript--storages '("var" "let" "const" "function" "deterministic"))

(defconst ndscript--constants '("true" "false" "null"))

(defvar ndscript-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?\' "\"" table)
    (modify-syntax-entry ?\\ "\\" table)
    (modify-syntax-entry ?_ "_" table)
    (dolist (sign '(?+ ?- ?= ?% ?< ?> ?& ?| ?! ?? ?: ?\; ?, ?.))
      (modify-syntax-entry sign "." table))
    table)
  "Syntax of NDScript.  Templates are marked by `ndscript--syntax-propertize'.")

;; Templates nest: `a ${`b`}`.  Their pieces of text become strings between fences: the backticks, and the braces around
;; what is filled in.

(defun ndscript--fence (position)
  "Let a string begin or end at POSITION."
  (put-text-property position (1+ position) 'syntax-table (string-to-syntax "|")))

(defun ndscript--skip-template ()
  "Go behind the piece of a template that point is in.
Non-nil if it ends where something is filled in."
  (let (end filled)
    (while (not end)
      (if (not (re-search-forward "\\\\\\(?:.\\|\n\\)\\|`\\|\\${" nil 'move))
          (setq end t)
        (cond ((eq (char-before) ?`) (setq end t) (unless (eq (char-before (1- (point))) ?\\)
                                                    (ndscript--fence (1- (point)))))
              ((and (eq (char-before) ?{) (eq (char-before (1- (point))) ?$))
               (setq end t filled t)
               (ndscript--fence (1- (point)))))
        ;; An escaped backtick or brace ends nothing.
        (when (eq (char-after (match-beginning 0)) ?\\)
          (setq end nil filled nil))))
    filled))

(defun ndscript--syntax-propertize (_start end)
  "Mark the pieces of templates up to END.
It begins at the beginning of the buffer, as templates nest."
  (goto-char (point-min))
  (remove-text-properties (point-min) end '(syntax-table nil))
  ;; For each open brace whether it is that of a template.
  (let (braces)
    (when (looking-at "\ufeff?#!")
      (put-text-property (match-beginning 0) (1+ (match-beginning 0)) 'syntax-table (string-to-syntax "< b"))
      (forward-line))
    (while (re-search-forward "//\\|/\\*\\|[\"'`{}]" end 'move)
      (pcase (match-string 0)
        ("//" (end-of-line))
        ("/*" (unless (search-forward "*/" nil 'move) (goto-char (point-max))))
        ("{" (push nil braces))
        ("`" (ndscript--fence (1- (point)))
         (when (ndscript--skip-template) (push t braces)))
        ("}" (when (pop braces)
               (ndscript--fence (1- (point)))
               (when (ndscript--skip-template) (push t braces))))
        (quote
         (let ((inside (concat "\\(?:[^\\" quote "]\\|\\\\\\(?:.\\|\n\\)\\)*" quote)))
           (unless (looking-at inside)
             (goto-char (point-max)))
           (when (looking-at inside)
             (goto-char (match-end 0)))))))))

(defun ndscript--begin-anew (_start end)
  "Extend what is looked at up to END to the beginning of the buffer."
  (cons (point-min) end))

(defun ndscript--is-key ()
  "Whether the word that was matched is a field, or the key of an object."
  (save-match-data
    (save-excursion
      (goto-char (match-beginning 0))
      (let ((end (match-end 0)))
        (forward-comment (- (buffer-size)))
        (or (eq (char-before) ?.)
            (and (memq (char-before) '(?{ ?,))
                 (progn (goto-char end)
                        (forward-comment (buffer-size))
                        (eq (char-after) ?:))))))))

(defun ndscript--match (regexp limit keys)
  "Find REGEXP before LIMIT outside of strings; fields and keys only if KEYS."
  (let (found)
    (while (and (not found) (re-search-forward regexp limit t))
      (setq found (and (eq (and (ndscript--is-key) t) keys)
                       (not (nth 8 (save-excursion (save-match-data (syntax-ppss (match-beginning 0)))))))))
    found))

(defun ndscript--words (words)
  "A matcher for WORDS, where they are words of the language."
  (let ((regexp (regexp-opt words 'symbols)))
    (lambda (limit) (ndscript--match regexp limit nil))))

(defvar ndscript-font-lock-keywords
  `(("\\_<\\(choose\\)[ \t\n]+\\(first\\)\\_>" (1 font-lock-keyword-face) (2 font-lock-keyword-face))
    (,(concat "\\_<function[ \t\n]+\\(" ndscript--name "\\)") 1 font-lock-function-name-face)
    (,(lambda (limit) (ndscript--match (concat "\\_<" ndscript--name "\\_>") limit t)) 0 font-lock-variable-name-face)
    (,(ndscript--words ndscript--controls) 0 font-lock-keyword-face)
    (,(ndscript--words ndscript--storages) 0 font-lock-type-face)
    (,(ndscript--words ndscript--constants) 0 font-lock-constant-face))
  "Colors of NDScript.")

(defun ndscript-indent-line ()
  "Indent a line by the brackets that are open before it."
  (interactive)
  (let* ((state (save-excursion (syntax-ppss (line-beginning-position))))
         (in-string (nth 3 state))
         (column (ndscript--column state))
         (behind (- (current-column) (current-indentation))))
    (unless in-string
      (indent-line-to column)
      (when (> behind 0) (move-to-column (+ column behind))))))

(defun ndscript--column (state)
  "The column for the line at point, where STATE is that of its beginning."
  (save-excursion
    (back-to-indentation)
    (let ((closes (looking-at "[])}]"))
          (open (nth 1 state)))
      (if (not open)
          (if (nth 4 state) (current-indentation) 0)
        (goto-char open)
        (back-to-indentation)
        (+ (current-column) (if closes 0 ndscript-indent-offset))))))

(defun ndscript--command (&rest words)
  "Run `ndscript' with WORDS and this program in a compilation buffer."
  (save-buffer)
  (compile (mapconcat #'shell-quote-argument
                      `(,ndscript-program ,@words ,(file-name-nondirectory buffer-file-name)) " ")))

(defun ndscript-run ()
  "Run this program."
  (interactive)
  (ndscript--command "run"))

(defun ndscript-test ()
  "Run the tests of this program."
  (interactive)
  (ndscript--command "test"))

(defun ndscript-check ()
  "Look for mistakes in this program."
  (interactive)
  (ndscript--command "check"))

(defvar ndscript-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'ndscript-run)
    (define-key map (kbd "C-c C-t") #'ndscript-test)
    (define-key map (kbd "C-c C-k") #'ndscript-check)
    map))

;;;###autoload
(define-derived-mode ndscript-mode prog-mode "NDScript"
  "Major mode for NDScript programs."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local comment-start-skip "\\(?://+\\|/\\*+\\)[ \t]*")
  (setq-local parse-sexp-lookup-properties t)
  (setq-local syntax-propertize-function #'ndscript--syntax-propertize)
  (add-hook 'syntax-propertize-extend-region-functions #'ndscript--begin-anew nil t)
  (setq-local font-lock-defaults '(ndscript-font-lock-keywords))
  (setq-local indent-line-function #'ndscript-indent-line)
  (setq-local indent-tabs-mode nil)
  (setq-local electric-indent-chars (append "{}()[]" electric-indent-chars))
  (setq-local imenu-generic-expression
              `((nil ,(concat "^[ \t]*\\(?:deterministic[ \t]+\\)?function[ \t]+\\(" ndscript--name "\\)") 1))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.nds\\'" . ndscript-mode))
;;;###autoload
(add-to-list 'interpreter-mode-alist '("ndscript" . ndscript-mode))

;; Errors name their place as `-->  map.nds:3:1', and as `╭─[ map.nds:3:1 ]'.
(add-to-list 'compilation-error-regexp-alist-alist
             '(ndscript "\\(?:--> \\|─\\[ ?\\)\\([^\n]+?\\.nds\\):\\([0-9]+\\):\\([0-9]+\\)" 1 2 3))
(add-to-list 'compilation-error-regexp-alist 'ndscript)

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               `(ndscript-mode . ,(lambda (&rest _)
                                 (append (list ndscript-program "lsp") ndscript-server-arguments)))))

(defvar dape-configs)
(with-eval-after-load 'dape
  (add-to-list 'dape-configs
               `(ndscript modes (ndscript-mode) command ,ndscript-program command-args ("dap")
                          :type "ndscript" :request "launch" :program dape-buffer-default :seed 1)))

(provide 'ndscript-mode)
;;; ndscript-mode.el ends here
