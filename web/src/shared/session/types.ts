import type { Answer, Body } from '@najwa/proto/http/client';

export type User = Answer<'getCurrentUser'>;

export type ProfileChange = Extract<Body<'updateCurrentUser'>, { avatar?: string | null }>;

export type Credentials = Body<'login'>;

/** Of the page that a registration leads to. */
export interface NewAccount {
  isNew: true;
}

/** The terms are not accepted yet. */
export type Registration = Omit<Body<'register'>, 'bio' | 'terms'> & { bio: string; terms: boolean };
