import { AppError } from '@najwa/common';
import { z } from 'zod';

/** 3 to 30 of a-z A-Z 0-9 . _ - */
export const username = z
  .string({ error: 'required' })
  .trim()
  .min(1, 'required')
  .min(3, 'too_short')
  .max(30, 'too_long')
  .regex(/^[A-Za-z0-9._-]+$/, 'forbidden_characters')
  // Dots alone would make addresses that browsers rewrite (/m/..).
  .regex(/[A-Za-z0-9]/, 'forbidden_characters');

/** What two usernames must differ in. Those that differ only in capitals or dots look alike to a person. */
export function usernameSkeleton(name: string): string {
  return name.toLowerCase().replaceAll('.', '');
}

/** Names of pages, of parts of the system, and of whom a stranger would take for us. */
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
      message: 'This username is kept for the site itself.',
      fields: { username: 'reserved' },
    });
  }
}
