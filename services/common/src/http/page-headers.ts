/** Security headers of pages and files of the web client. A test compares web/nginx/page-headers.conf with them. */
export const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'self'",
    // Hash of the first script in every page. The client's build compares it.
    "script-src 'self' 'sha256-UcMGrGo5fHoI1ZEZQCjOtoZeAYGNRFz82wnhh1Med38='",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    // Each page restricts this to the hashes of its own styles (web/style-policy.js).
    "style-src 'self' 'unsafe-inline'",
    "style-src-attr 'none'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    // The first script's policy allows the addresses of our own scripts.
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;

/** For pages whose address is a secret: no referrer (web/nginx/secret-page-headers.conf). */
export const SECRET_PAGE_HEADERS = {
  ...PAGE_HEADERS,
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
} as const;

/** Pages change with each release. Revalidation mostly yields a 304. */
export const PAGE_CACHE_CONTROL = 'no-cache';

export const ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable';
