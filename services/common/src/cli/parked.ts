import { z } from 'zod';
import { type ParkedEvent, ParkedEvents } from '../amqp/parked.js';
import { amqpEnvironment, brokerConfigOf, ConfigError, readConfig, type Environment } from '../config.js';

export interface ParkedCommand {
  environment: Environment;
  args: readonly string[];
  writeLine: (line: string) => void;
  writeError: (line: string) => void;
}

const USAGE = `Usage: npm run parked                          what is parked
       npm run parked -- --return              put all of it back
       npm run parked -- --return ID [ID ...]  put these back`;

const shape = z.object(amqpEnvironment).transform(brokerConfigOf);

const lineOf = ({ queue, name, id, attempts, reason }: ParkedEvent): string =>
  [
    queue,
    name ?? 'unreadable event',
    id ?? 'without an id',
    `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`,
    reason,
  ].join('  ');

/** @returns the exit status */
export async function runParked({ environment, args, writeLine, writeError }: ParkedCommand): Promise<number> {
  const [option, ...ids] = args;
  if (option !== undefined && option !== '--return') {
    writeError(USAGE);
    return 2;
  }
  try {
    const parked = await ParkedEvents.open(readConfig(shape, environment));
    try {
      const events =
        option === undefined ? await parked.list() : await parked.requeue(ids.length > 0 ? ids : undefined);
      for (const event of events) writeLine(lineOf(event));
      writeLine(`${events.length} ${option === undefined ? 'parked' : 'put back'}`);
      const missing = ids.filter((id) => !events.some((event) => event.id === id));
      for (const id of missing) writeError(`${id} is not parked.`);
      return missing.length > 0 ? 1 : 0;
    } finally {
      await parked.close();
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    writeError(error.message);
    return 1;
  }
}
