import { inCheckout } from '../bootstrap/environment.js';

export interface WebServerAddress {
  host: string;
  port: number;
  /** A folder for the copy of the client that is served. */
  copy: string;
}

/** The web client's server as a process of its own: its main file, and its whole environment. */
export const webServerProgram = ({ host, port, copy }: WebServerAddress) => ({
  main: inCheckout('deploy/dev/dist/web-server/main.js'),
  env: { HOST: host, PORT: String(port), WEB_ROOT: inCheckout('web/dist'), WEB_COPY: copy },
});
