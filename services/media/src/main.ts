import { runService } from '@najwa/common/service';
import { create, loadConfig } from './index.js';

await runService({ service: 'media', loadConfig, create });
