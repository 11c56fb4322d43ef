import { AppError } from '@najwa/common';
import { z } from 'zod';

/** 3 to 30 of a-z A-Z 0-9 . _ -, at least one of them a letter or digit. */
export const username = z
  .string({ error: 'required' })
  .trim()
  .min(1, 'required')
  .min(3, 'too_short')
  .max(30, 'too_long')
  .regex(/^[A-Za-z0-9._-]+$/, 'forbidden_characters')
  // Browsers rewrite paths that end in dots alone, such as /m/..
  .regex(/[A-Za-z0-9]/, 'forbidden_characters');

/** Two usernames must differ in this: names that differ only in case or dots look alike to a person. */
export function usernameSkeleton(name: string): string {
  return name.toLowerCase().replaceAll('.', '');
}

/** Names of pages, of parts of the system, and names that a stranger would take for the site's staff. */
const RESERVED = new Set(
  [
    'about',
    'account',
    'accounts',
    'admin',
    'administrator',
    'admins',
    'anonymous',
    'api',
    'assets',
    'assistant',
    'auth',
    'billing',
    'blog',
    'by-id',
    'by_id',
    'chat',
    'contact',
    'cookies',
    'developer',
    'download',
    'everyone',
    'faq',
    'favicon',
    'feedback',
    'help',
    'home',
    'image',
    'info',
    'legal',
    'login',
    'logout',
    'mail',
    'me',
    'media',
    'message',
    'messages',
    'mod',
    'moderator',
    'najwa',
    'najwaa',
    'najwateam',
    'najwa-team',
    'news',
    'null',
    'official',
    'owner',
    'postmaster',
    'privacy',
    'profile',
    'register',
    'replies',
    'root',
    'security',
    'settings',
    'signin',
    'signup',
    'staff',
    'static',
    'status',
    'stories',
    'story',
    'superuser',
    'support',
    'system',
    'team',
    'terms',
    'undefined',
    'user',
    'users',
    'verified',
    'webmaster',
    'www',
  ].map(usernameSkeleton),
);

/** @throws {AppError} `username_reserved` */
export function requireUnreserved(name: string): void {
  if (RESERVED.has(usernameSkeleton(name))) {
    throw new AppError({
      code: 'username_reserved',
      message: 'This username is reserved for the site itself.',
      fields: { username: 'reserved' },
    });
  }
}
