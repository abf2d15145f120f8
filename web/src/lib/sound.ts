// A short knock when a piece is put down, made by the browser itself: no file is loaded.
import { settings } from './settings.svelte';

let context: AudioContext | null = null;

export function knock() {
    if (!settings.sound || document.hidden) return;
    try {
        context ??= new AudioContext();
        // Browsers keep silent until the reader has touched the page.
        if (context.state === 'suspended') void context.resume();
        const begin = context.currentTime;
        const tone = context.createOscillator();
        const volume = context.createGain();
        tone.type = 'triangle';
        tone.frequency.setValueAtTime(520, begin);
        tone.frequency.exponentialRampToValueAtTime(160, begin + 0.06);
        volume.gain.setValueAtTime(0.22, begin);
        volume.gain.exponentialRampToValueAtTime(0.001, begin + 0.09);
        tone.connect(volume).connect(context.destination);
        tone.start(begin);
        tone.stop(begin + 0.1);
    } catch {
        // A browser without sound still plays.
    }
}
