import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

const gateway = `http://localhost:${process.env.PORT ?? 8080}`;

export default defineConfig({
  plugins: [react()],
  resolve: { conditions: ['najwa-source', ...defaultClientConditions] },
  // Fonts stay files: inlined ones would break under the content security policy and load for languages that never use them.
  build: { target: 'es2022', assetsInlineLimit: 0 },
  server: { proxy: { '/api': gateway } },
});
