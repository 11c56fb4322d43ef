import type { User } from '../features/session/index.js';

export const noura: User = {
  id: 1,
  username: 'noura',
  name: 'Noura Alali',
  bio: '',
  email: null,
  avatar: null,
  gender: 'female',
  lastOnline: null,
  isOnline: true,
  visitorCount: 12,
  createdAt: '2025-03-04T10:00:00.000Z',
  isAdmin: false,
  isVerified: false,
};

export const salem: User = { ...noura, id: 2, username: 'salem', name: 'Salem Alharbi', gender: 'male', isAdmin: true };
