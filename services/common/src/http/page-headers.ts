/**
 * Security headers of every page and file of the web client, for the servers that send them: the local web server, and
 * nginx in the web image (web/nginx/page-headers.conf, which a test compares with this).
 */
export const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'self'",
    // The hash of the first script, which is written into every page. The client's build compares it.
    "script-src 'self' 'sha256-xrNDnoe0OWFZEy2+zA7JjnlHdmVWwv3ti20dDJENwO0='",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    // Each page names the hashes of its own styles in a policy of its own (web/style-policy.js), which refuses all others.
    "style-src 'self' 'unsafe-inline'",
    "style-src-attr 'none'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    // Nothing becomes markup or code from text. The first script's policy tells the addresses of our own scripts.
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * Security headers of pages whose address is a secret. No page that they lead to, and no call that they make, gets it as referrer
 * (web/nginx/secret-page-headers.conf).
 */
export const SECRET_PAGE_HEADERS = {
  ...PAGE_HEADERS,
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
} as const;

/** Pages change with each release: browsers ask each time, and mostly get a 304. */
export const PAGE_CACHE_CONTROL = 'no-cache';

/** For files under /assets, whose names contain a hash of their content. */
export const ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable';
