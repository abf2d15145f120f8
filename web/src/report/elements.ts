// What all reports are made of.
export type Row = Record<string, any>;

export function element(parent: Element, tag: string, text = '', kind = ''): HTMLElement {
    const made = document.createElement(tag);
    if (text) made.textContent = text;
    if (kind) made.className = kind;
    parent.append(made);
    return made;
}

// The rows that were made, without the head.
export function table(parent: Element, head: string[], rows: (string | [string, string])[][]): HTMLElement[] {
    const made = element(element(parent, 'div', '', 'scroll'), 'table');
    const top = element(made, 'tr');
    for (const h of head) element(top, 'th', h);
    return rows.map((row) => {
        const line = element(made, 'tr');
        for (const cell of row) {
            if (typeof cell === 'string') element(line, 'td', cell);
            else element(line, 'td', cell[0], cell[1]);
        }
        return line;
    });
}
