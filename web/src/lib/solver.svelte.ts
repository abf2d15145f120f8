// Proofs: the exact end of an Othello game, wins by threats, mates by checks.
import * as api from './api';
import type { Proof, Running } from './api';
import { score } from './format';
import { t } from './i18n';
import { session } from './session.svelte';

class Solver {
    running = $state('');
    at = $state(-1); // the node that was asked about
    proof = $state.raw<Proof | null>(null);
    ahead = $state<number | null>(null);
    seconds = $state(0);

    #work: Running<Proof> | null = null;
    #ticker: ReturnType<typeof setInterval> | undefined;

    async start(kind: string) {
        this.drop();
        const node = session.node;
        if (!session.info || !node) return;
        this.running = kind;
        this.at = node.id;
        this.proof = null;
        const begun = performance.now();
        this.seconds = 0;
        this.#ticker = setInterval(
            () => (this.seconds = Math.floor((performance.now() - begun) / 1000)),
            500,
        );
        const work = api.solve(
            {
                game: session.info.name,
                position: session.start,
                moves: session.moves,
                kind,
                time_ms: 0,
            },
            {
                queued: (ahead) => (this.ahead = ahead),
                started: () => (this.ahead = null),
                info: (proof) => {
                    if (this.#work === work) this.proof = proof;
                },
            },
        );
        this.#work = work;
        try {
            const proof = await work.result;
            if (this.#work !== work) return;
            // Stopped before anything was proved: what was found on the way is worth more.
            if (proof.answer) this.proof = proof;
        } catch (e) {
            if (!(e instanceof api.Dropped)) session.complain(e);
        }
        if (this.#work === work) this.#rest();
    }
    /** Ends it; what it has proved so far is kept. */
    stop() {
        this.#work?.stop();
    }
    drop() {
        this.#work?.drop();
        this.#rest();
        this.proof = null;
        this.at = -1;
    }
    #rest() {
        this.#work = null;
        this.running = '';
        this.ahead = null;
        clearInterval(this.#ticker);
    }
}

export const solver = new Solver();

/** A proof in words. */
export function proofText(p: Proof, mover: string, other: string): string {
    const n = p.line.length;
    switch (p.answer) {
        case 'score': {
            const value = p.value ?? 0;
            const sure = p.solved ? t('proof_exact') : t('proof_sure', { n: p.confidence ?? 0 });
            const words =
                value === 0
                    ? t('proof_even')
                    : t('proof_score', {
                          side: value > 0 ? mover : other,
                          n: score(Math.abs(value), 1).replace(/\.0$/, '').replace('+', ''),
                      });
            return `${words} ${sure}`;
        }
        case 'win':
            if (!p.by) return t('proof_win', { side: mover });
            return t(p.by === 'vcf' ? 'proof_vcf' : 'proof_vct', { side: mover, n });
        case 'loss':
            return t('proof_win', { side: other });
        case 'draw':
            return t('proof_draw');
        case 'mate':
            return t(p.shortest ? 'proof_mate_shortest' : 'proof_mate', { n });
        case 'none':
            return t(p.kind === 'mate' || p.kind === 'shortest' ? 'proof_no_mate' : 'proof_no_win');
        default:
            return t('proof_unknown');
    }
}
