export { entityTagOf, hasEntityTag, matchesEntityTag } from './entity-tag.js';
export { beginRangedAnswer, INERT_HEADERS, readByteRange, type ByteRange } from './file-answer.js';
export { CLIENT_GONE } from './app.js';
export { receivePicture } from './body.js';
export { readForm, type FormRequest } from './form.js';
export * from './page-headers.js';
export { linkNextPage, setTotal, takePage } from './paging.js';
export { createRoutes, type Call, type Caller, type Handlers, type LimitedHandler } from './routes.js';
export { createHttpServer, manageServer, type HttpServer } from './server.js';
export {
  cookieAttributes,
  FORWARDED_HOST_HEADER,
  hashSessionToken,
  SESSION_COOKIE,
  type CookieAttributes,
} from './cookies.js';
