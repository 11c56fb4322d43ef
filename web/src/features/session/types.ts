export interface User {
  id: number;
  username: string;
  name: string;
  bio: string;
  email: string | null;
  avatar: string | null;
  gender: 'male' | 'female';
  lastOnline: string | null;
  isOnline: boolean;
  visitorCount: number;
  createdAt: string;
  isAdmin: boolean;
  isVerified: boolean;
}

export interface ProfileChange {
  name: string;
  bio: string;
  gender: User['gender'];
  /** A data URL, or null to remove the picture. Left out to keep it. */
  avatar?: string | null;
}

export interface Credentials {
  username: string;
  password: string;
}

export interface Registration extends Credentials {
  name: string;
  confirmPassword: string;
  bio: string;
  terms: boolean;
}
