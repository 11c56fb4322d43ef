/** The signed-in account, as it sees itself. */
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
  /** A data URL, or null for none; left out when the present one stays. */
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
