import { defineConfig } from 'vite';

// One script without imports: `karikomi lab report` writes it into the page that it draws.
export default defineConfig({
    publicDir: false,
    build: {
        target: 'es2022',
        outDir: 'dist/report',
        emptyOutDir: true,
        lib: {
            entry: 'src/report/main.ts',
            formats: ['iife'],
            name: 'karikomiReport',
            fileName: () => 'report.js',
        },
    },
});
