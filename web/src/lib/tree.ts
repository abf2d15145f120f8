// A game with its branches. Nodes are never removed while a game is open, so ids are indices.
import type { KeptNode as Kept, Side, State } from './api';

/** A value from the first player's point of view. */
export interface Score {
    value: number;
    decisive: boolean;
    plies?: number;
    depth: number;
    best?: string;
    /** The best move as players write it, by style. */
    bestName?: Record<string, string>;
}

/** How a record says that the game ended after a move. */
export type End = NonNullable<Kept['e']>;

export interface Node {
    id: number;
    parent: number;
    move: string;
    children: number[];
    state: State;
    score?: Score;
    /** Thought before it, in ms. */
    time?: number;
    comment?: string;
    end?: End;
}

export type Tree = Node[];

export const rootOf = (state: State): Tree => [
    { id: 0, parent: -1, move: '', children: [], state },
];

/** Ids from the root to this node, both included. */
export function pathTo(tree: Tree, id: number): number[] {
    const path: number[] = [];
    for (let at = id; at >= 0; at = tree[at].parent) path.push(at);
    return path.reverse();
}

export const movesTo = (tree: Tree, id: number): string[] =>
    pathTo(tree, id)
        .slice(1)
        .map((n) => tree[n].move);

/** The line through this node, on to the end by the first children. */
export function lineThrough(tree: Tree, id: number): number[] {
    const path = pathTo(tree, id);
    // What follows an end is beside it.
    for (let at = id; tree[at].children.length > 0 && (!tree[at].end || at === id); ) {
        at = tree[at].children[0];
        path.push(at);
    }
    return path;
}

export const mainLine = (tree: Tree): number[] => lineThrough(tree, 0);

export const childBy = (tree: Tree, id: number, move: string): number | undefined =>
    tree[id].children.find((c) => tree[c].move === move);

/** A new tree with one more node, and the id of that node. */
export function withChild(tree: Tree, parent: number, move: string, state: State): [Tree, number] {
    const id = tree.length;
    const next = tree.slice();
    next[parent] = { ...tree[parent], children: [...tree[parent].children, id] };
    next.push({ id, parent, move, children: [], state });
    return [next, id];
}

export function withScore(tree: Tree, id: number, score: Score): Tree {
    const next = tree.slice();
    next[id] = { ...tree[id], score };
    return next;
}

/** The node with some of it changed. */
export function withNode(tree: Tree, id: number, change: Partial<Node>): Tree {
    const next = tree.slice();
    next[id] = { ...tree[id], ...change };
    return next;
}

export const forFirst = (value: number, side: Side): number => (side === 'first' ? value : -value);

/** The tree as it is kept: states are asked of the server again. */
export interface KeptNode extends Kept {
    s?: Score;
}
export const toKept = (tree: Tree): KeptNode[] =>
    tree.slice(1).map((n) => ({
        m: n.move,
        p: n.parent,
        ...(n.score ? { s: n.score } : {}),
        ...(n.time !== undefined ? { t: n.time } : {}),
        ...(n.comment ? { c: n.comment } : {}),
        ...(n.end ? { e: n.end } : {}),
    }));
