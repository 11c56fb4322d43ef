import { runService } from '@najwa/common';
import { create, loadConfig } from './index.js';

await runService({ service: 'gateway', loadConfig, create });
