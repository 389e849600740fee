/**
 * A plain text field that is good enough for code. Tab indents; after Esc the next Tab leaves the field, so that it does
 * not trap keyboard users.
 */
import { type KeyboardEvent, type Ref, useId, useMemo, useRef } from 'react';
import './editor.css';
import { indent, newLine, outdent, type Selected } from './indent.ts';

export function CodeEditor(props: {
  value: string;
  onChange: (value: string) => void;
  onRun: () => void;
  label: string;
  fieldRef?: Ref<HTMLTextAreaElement>;
}) {
  const { value, onChange, onRun, label, fieldRef } = props;
  const numbers = useRef<HTMLPreElement>(null);
  const leaving = useRef(false);
  const hint = useId();
  const lines = useMemo(() => lineNumbers(value), [value]);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return;
    const left = leaving.current;
    leaving.current = event.key === 'Escape';
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onRun();
    } else if (event.key === 'Tab' && !left) {
      event.preventDefault();
      edit(event.currentTarget, event.shiftKey ? outdent : indent);
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      edit(event.currentTarget, newLine);
    }
  };
  return (
    <div className="code-editor">
      <div className="code-editor-box">
        <pre className="code-editor-numbers" ref={numbers} aria-hidden="true">
          {lines}
        </pre>
        <textarea
          ref={fieldRef}
          value={value}
          aria-label={label}
          aria-describedby={hint}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          autoCorrect="off"
          wrap="off"
          onChange={({ target }) => onChange(target.value)}
          onKeyDown={onKeyDown}
          onScroll={({ currentTarget }) => {
            if (numbers.current) numbers.current.scrollTop = currentTarget.scrollTop;
          }}
        />
      </div>
      <p className="code-editor-hint" id={hint}>
        <kbd>Ctrl</kbd> or <kbd>⌘</kbd> + <kbd>Enter</kbd> runs it. <kbd>Tab</kbd> indents; <kbd>Esc</kbd>,
        then <kbd>Tab</kbd>, leaves the field.
      </p>
    </div>
  );
}

const lineNumbers = (text: string): string =>
  Array.from({ length: text.split('\n').length }, (_, index) => index + 1).join('\n');

/** Edits as if typed, so that undo works. */
function edit(field: HTMLTextAreaElement, change: (selected: Selected) => Selected | undefined): void {
  const { value, selectionStart: start, selectionEnd: end } = field;
  const next = change({ value, start, end });
  if (!next) return;
  const [from, to, tail] = difference(value, next.value);
  field.setSelectionRange(from, to);
  insertAtCaret(field, tail);
  field.setSelectionRange(next.start, next.end);
}

export function insertAtCaret(field: HTMLTextAreaElement, text: string): void {
  field.focus();
  // the only way that keeps the undo history
  const typed =
    text === '' ? document.execCommand('delete') : document.execCommand('insertText', false, text);
  if (typed) return;
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** The part of the old text that changes, and what takes its place. */
function difference(before: string, after: string): [from: number, to: number, replacement: string] {
  let head = 0;
  const shorter = Math.min(before.length, after.length);
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return [head, before.length - tail, after.slice(head, after.length - tail)];
}
