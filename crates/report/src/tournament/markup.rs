//! The markup of a tournament's page: its style, sections and tables.

use risk_text::{escape_control, xml};

/// Escapes a text for use between tags or in an attribute.
pub(crate) fn escaped(text: &str) -> String {
    xml(&escape_control(text))
}

/// The style of a page in light mode, dark mode and print.
pub(crate) const STYLE: &str = "
:root { --ink: #16202a; --dim: #5b6b78; --page: #ffffff; --line: #d3dce3; --mark: #1f6feb; --good: #1a7f37; --bad: #b42318; --heat: 31,111,235; }
@media screen { :root { color-scheme: light dark; } }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --dim: #9aa7b2; --page: #0f151b; --line: #2c3843; --mark: #6ea8fe; --good: #4cc26b; --bad: #ff8a7a; --heat: 110,168,254; } }
* { box-sizing: border-box; } :focus-visible { outline: 3px solid var(--mark); outline-offset: 1px; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; font: 16px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--page); }
h1 { font-size: 1.5rem; margin: .5rem 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p { margin: .3rem 0; } .dim { color: var(--dim); } .bad { color: var(--bad); } .good { color: var(--good); } code { font-size: .85em; overflow-wrap: anywhere; }
.wide { overflow-x: auto; position: relative; } .wide + .wide { margin-top: 1rem; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th { font-weight: 600; color: var(--dim); vertical-align: bottom; } td.words { white-space: normal; min-width: 7rem; }
th:first-child, td:first-child { text-align: left; padding-left: 0; position: sticky; left: 0; background: var(--page); }
a { color: var(--mark); } .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
td small { display: block; color: var(--dim); font-weight: 400; } td[style] small { color: inherit; }
svg { display: block; width: 100%; max-width: 40rem; height: auto; } svg text { fill: var(--ink); font: 13px system-ui, sans-serif; }
svg .dim { fill: var(--dim); } svg .axis { stroke: var(--line); } svg .mark { stroke: var(--mark); fill: var(--mark); }
svg .even { stroke: var(--dim); stroke-dasharray: 3 3; } svg .band { fill: rgba(var(--heat), .25); stroke: none; } svg .bar { fill: var(--mark); }
@media (max-width: 40rem) { th, td { padding: .25rem .35rem; font-size: 14px; } svg text { font-size: 15px; } }
@page { margin: 15mm; }
@media print { body { max-width: none; padding: 0; font-size: 11px; } th, td { padding: .15rem .4rem; font-size: 10px; } .wide { overflow: visible; } h2 { break-after: avoid; } tr, svg, p { break-inside: avoid; } .wide + p, svg + p { break-before: avoid; } svg { max-width: 30rem; } * { print-color-adjust: exact; } }
";

pub(crate) fn section(heading: &str, body: &str) -> String {
    format!("<section><h2>{heading}</h2>\n{body}</section>")
}

pub(super) fn table(heads: &[String], rows: &[Vec<String>]) -> String {
    let heads: String = heads
        .iter()
        .map(|head| format!("<th>{head}</th>"))
        .collect();
    let line = |row: &Vec<String>| {
        let cells: String = row.iter().map(|cell| cell_of(cell)).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = rows.iter().map(line).collect();
    format!(
        "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table><thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>"
    )
}

/// Returns a cell with text that may wrap.
pub(super) fn words(text: &str) -> String {
    format!("<td class=\"words\">{}</td>", escaped(text))
}

/// Puts a cell into `<td>`, unless it has its own tag.
fn cell_of(cell: &str) -> String {
    if cell.starts_with("<td") {
        cell.to_owned()
    } else {
        format!("<td>{cell}</td>")
    }
}

pub(super) fn heads(heads: &[&str]) -> Vec<String> {
    heads.iter().map(|head| (*head).to_owned()).collect()
}
