import { inCheckout } from '../bootstrap/environment.js';

export interface WebServerAddress {
  host: string;
  port: number;
  /** For the served copy. */
  copy: string;
}

export const webServerProgram = ({ host, port, copy }: WebServerAddress) => ({
  main: inCheckout('deploy/dev/dist/web-server/main.js'),
  env: { HOST: host, PORT: String(port), WEB_ROOT: inCheckout('web/dist'), WEB_COPY: copy },
});
