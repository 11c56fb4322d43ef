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
