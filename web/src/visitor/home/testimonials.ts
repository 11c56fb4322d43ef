import {
  BookOpen,
  Briefcase,
  Camera,
  Coffee,
  Compass,
  Feather,
  GraduationCap,
  Heart,
  HeartHandshake,
  Image,
  KeyRound,
  Languages,
  MessageCircle,
  Mic,
  Moon,
  Palette,
  PenLine,
  ShieldCheck,
  Trash2,
  Users,
  type LucideIcon,
} from 'lucide-react';
import type { Language } from '../../i18n/index.js';
import texts from './testimonials.json' with { type: 'json' };

export interface Testimonial {
  id: number;
  name: Record<Language, string>;
  avatar: string | null;
  gender: 'male' | 'female';
  rating: number;
  text: Record<Language, string>;
  icon: LucideIcon;
}

export const MAX_STARS = 5;

const ICONS = [
  Feather,
  GraduationCap,
  Heart,
  Mic,
  Palette,
  Briefcase,
  BookOpen,
  Coffee,
  KeyRound,
  Camera,
  Languages,
  Moon,
  HeartHandshake,
  ShieldCheck,
  Users,
  MessageCircle,
  Image,
  PenLine,
  Trash2,
  Compass,
];

/** Not in the translations, so that only the home page loads them. */
export const testimonials = texts.map((each, index) => ({ ...each, icon: ICONS[index] })) as readonly Testimonial[];
