// The editor of the workshop: CodeMirror in a shadow root, so that its styles need no exception from the page's policy.
// The site has it as one bundle; nothing here imports modules of the pages.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { StreamLanguage, bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { rust } from "@codemirror/legacy-modes/mode/rust";
import { xml } from "@codemirror/legacy-modes/mode/xml";
import { yaml } from "@codemirror/legacy-modes/mode/yaml";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

/** @typedef {import("#playground/types").Finding} Finding */
/** @typedef {import("#playground/types").ReferenceEntry} ReferenceEntry */

/** @param {Record<string, string>} colours */
const coloured = (colours) => Object.fromEntries(Object.entries(colours).map(([tag, color]) => [`.tok-${tag}`, { color }]));

const THEME = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--sheet)", fontSize: "0.85rem", height: "100%" },
  "&.cm-focused": { outline: "3px solid var(--accent)" },
  ".cm-scroller": { fontFamily: "'DejaVu Sans Mono', 'Ubuntu Mono', monospace", lineHeight: "1.45" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--back)", color: "var(--faint)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 9%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--accent) 30%, transparent)" },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--sheet)", color: "var(--text)", border: "1px solid var(--faint)" },
  ".cm-tooltip .about": { maxWidth: "32rem", padding: "0.3rem 0.6rem", margin: "0", whiteSpace: "pre-wrap" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected] .cm-completionDetail": { color: "var(--on-accent)" },
  ".cm-completionDetail": { color: "var(--faint)" },
  ".cm-completionInfo": { maxWidth: "24rem", whiteSpace: "pre-wrap" },
  ".cm-panel.cm-search :is(input, button, label)": { fontSize: "0.85rem" },
  ".cm-panels input, .cm-panels button": { color: "var(--text)", background: "var(--sheet)" },
  ".cm-foldPlaceholder": { background: "var(--back)", color: "var(--faint)" },
  ...coloured({ keyword: "var(--accent)", string: "var(--warn)", number: "var(--warn)", comment: "var(--faint)", bool: "var(--accent)", atom: "var(--accent)",
    propertyName: "var(--accent)", typeName: "var(--accent)", meta: "var(--faint)" }),
  ".tok-keyword": { color: "var(--accent)", fontWeight: "bold" },
  ".tok-comment": { color: "var(--faint)", fontStyle: "italic" },
});

const LANGUAGES = { rhai: StreamLanguage.define(rust), yaml: StreamLanguage.define(yaml), xml: StreamLanguage.define(xml) };
const LONG_LINE = /^.{5000}/m;
/** The objects of hooks, by the names that guides give them. */
const OBJECTS = /** @type {Record<string, string>} */ ({
  view: "the game as your bot sees it", ask: "the actions that the rules offer now: a hook returns one of them, or a plan", g: "the game, which rules read and change",
  out: "the actions that a player may choose: a hook fills them out", plan: "several actions, one after the other", action: "an action of a player",
  game: "an imagined game", said: "the action that a player has chosen", me: "the number of the player",
});

export class Editor {
  /**
   * @param {HTMLElement} host
   * @param {{ changed: (text: string) => void, help: (word: string, entries: ReferenceEntry[]) => void }} callbacks functions to call
   *   after a person changes the text, and for questions about a word, with its entries in the reference
   */
  constructor(host, callbacks) {
    this.callbacks = callbacks;
    /** The functions, hooks and events for the open script. @type {ReferenceEntry[]} */
    this.reference = [];
    /** The text that is edited without a change by a person: changes of it are not reported. */
    this.isOpening = false;
    /** The states of the texts that were edited, with what can be undone. @type {Map<string, EditorState>} */
    this.states = new Map();
    this.key = "";
    const root = host.attachShadow({ mode: "open" });
    this.view = new EditorView({ root, parent: /** @type {any} */ (root), state: this.begun("", "rhai", "Text") });
  }

  /**
   * Opens a text. One that was open before has its history.
   * @param {string} key
   * @param {string} text
   * @param {"rhai" | "yaml" | "xml"} language
   * @param {string} title
   */
  open(key, text, language, title) {
    if (this.key) this.states.set(this.key, this.view.state);
    this.key = key;
    const known = this.states.get(key);
    this.isOpening = true;
    this.view.setState(known?.doc.toString() === text ? known : this.begun(text, language, title));
    this.isOpening = false;
  }

  /**
   * Goes on with the open text under another name.
   * @param {string} key
   */
  rename(key) {
    this.states.delete(this.key);
    this.key = key;
  }

  /** @param {string} text @param {"rhai" | "yaml" | "xml"} language @param {string} title */
  begun(text, language, title) {
    const isScript = language === "rhai";
    // Colouring takes minutes for some lines that no person writes.
    const colours = LONG_LINE.test(text) ? [] : [LANGUAGES[language], syntaxHighlighting(classHighlighter)];
    return EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), foldGutter(), lintGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(), search({ top: true }),
        highlightSelectionMatches(), highlightActiveLine(), highlightActiveLineGutter(), indentUnit.of(isScript ? "    " : "  "),
        EditorState.tabSize.of(4), EditorView.lineWrapping, THEME, ...colours,
        EditorView.contentAttributes.of({ "aria-label": title, tabindex: "0", spellcheck: "false", autocorrect: "off", autocapitalize: "off" }),
        ...(isScript ? [autocompletion({ override: [(context) => this.complete(context)] }), hoverTooltip((view, at) => this.hover(view, at))] : []),
        // Tab leaves the editor, so that keys alone reach everything.
        keymap.of([
          { key: "F1", run: () => this.askHelp() }, { key: "Mod-]", run: indentMore }, { key: "Mod-[", run: indentLess },
          ...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...defaultKeymap,
        ]),
        // The page takes files that are dropped.
        EditorView.domEventHandlers({ drop: (event) => Boolean(event.dataTransfer?.files.length) }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !this.isOpening) this.callbacks.changed(update.state.doc.toString());
        }),
      ],
    });
  }

  /** @param {Finding[]} findings of the open text */
  show(findings) {
    const { doc } = this.view.state;
    /** Columns count characters, and CodeMirror counts UTF-16 units. @param {number} line @param {number} column */
    const offset = (line, column) => {
      const { from, text } = doc.line(Math.max(1, Math.min(line, doc.lines)));
      return from + [...text].slice(0, column - 1).join("").length;
    };
    const diagnostics = findings.flatMap(({ place, level, text, help, code }) => {
      if (!place) return [];
      const from = offset(place.line, place.column);
      const to = Math.max(from, offset(place.end_line, place.end_column));
      return [{ from, to, severity: level, source: code, message: help ? `${text}\n${help}` : text }];
    });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  /** @param {Finding["place"]} place */
  go(place) {
    if (!place) return;
    const line = this.view.state.doc.line(Math.min(place.line, this.view.state.doc.lines));
    const at = Math.min(line.to, line.from + place.column - 1);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  /** @param {number} at */
  wordAt(at) {
    const { state } = this.view;
    const range = state.wordAt(at);
    return range ? { ...range, from: range.from, to: range.to, text: state.sliceDoc(range.from, range.to) } : null;
  }

  askHelp() {
    const at = this.view.state.selection.main.head;
    const word = this.wordAt(at);
    this.callbacks.help(word?.text ?? "", word ? this.entriesOf(word) : []);
    return true;
  }

  /**
   * Returns the entries for a word: those of an object, a function or a hook.
   * @param {{ from: number, text: string }} word
   * @returns {ReferenceEntry[]}
   */
  entriesOf({ from, text }) {
    const { doc } = this.view.state;
    if (Object.hasOwn(OBJECTS, text) && doc.sliceString(from - 1, from) !== ".") return [{ name: text, call: text, meaning: OBJECTS[text], of: [] }];
    const named = this.reference.filter(({ name }) => name === text);
    if (named.length || !/\bfn\s+$/.test(doc.sliceString(from - 20, from))) return named;
    const ending = /_(enter|options|apply|plans|play)$/.exec(text)?.[0] ?? "";
    return this.reference.filter(({ name }) => name === `PHASE${ending}`);
  }

  /** @param {import("@codemirror/view").EditorView} _view @param {number} at */
  hover(_view, at) {
    const word = this.wordAt(at);
    const known = word ? this.entriesOf(word) : [];
    if (!word || !known.length) return null;
    return {
      pos: word.from, end: word.to,
      create: () => {
        const dom = document.createElement("p");
        dom.className = "about";
        dom.textContent = known.map(({ call, meaning }) => `${call}\n${meaning}`).join("\n\n");
        return { dom };
      },
    };
  }

  /**
   * @param {import("@codemirror/autocomplete").CompletionContext} context
   * @returns {import("@codemirror/autocomplete").CompletionResult | null}
   */
  complete(context) {
    const typed = context.matchBefore(/(\w+\.)?\w*$/);
    if (!typed || (!typed.text && !context.explicit)) return null;
    const [, object, name] = /** @type {RegExpExecArray} */ (/^(?:(\w+)\.)?(\w*)$/.exec(typed.text));
    if (!object && name.length < 2 && !context.explicit) return null;
    const isKnown = Object.hasOwn(OBJECTS, object ?? "");
    const isHook = Boolean(context.matchBefore(/\bfn\s+\w*$/));
    const fits = (/** @type {ReferenceEntry} */ { call, of }) => isHook ? of.some((who) => who.startsWith("hooks")) : object === undefined ? !/^\w+\./.test(call)
      : isKnown ? call.startsWith(`${object === "said" ? "action" : object}.`) : /^\w+\./.test(call);
    // Of several forms, the shortest is offered.
    const found = new Map(this.reference.filter(fits).sort((a, b) => b.call.length - a.call.length).map((entry) => [entry.name, entry]));
    const options = [...found.values()].map(({ name, call, meaning }) => ({
      label: name, detail: call.includes("(") ? call.slice(call.indexOf("(")) : "", info: `${call}\n${meaning}`, type: call.includes("(") ? "function" : "property",
    }));
    const own = object === undefined && !isHook ? [...new Set(context.state.doc.toString().match(/\b[A-Za-z_]\w{2,}\b/g))]
      .filter((word) => !found.has(word) && word !== name).map((label) => ({ label, type: "text", boost: -1 })) : [];
    return { from: typed.to - name.length, options: [...options, ...own], validFor: /^\w*$/ };
  }
}
