import { personText } from '@najwa/common';
import { z } from 'zod';

export const name = personText({ min: 1, max: 60 });

export const bio = personText({ min: 0, max: 300 });

export const newPassword = z.string({ error: 'required' }).min(1, 'required').min(8, 'too_short').max(128, 'too_long');
