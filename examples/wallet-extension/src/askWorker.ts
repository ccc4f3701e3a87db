/// <reference types="chrome" />
import { fromJson, toJson } from 'redeemkit'
import { AskError, type AskFailure, type RequestName, type Requests } from './messages.ts'

/**
 * Chrome starts the worker if it is not running.
 *
 * @throws AskError if the worker refuses, or does not respond
 */
export async function askWorker<name extends RequestName>(
  name: name,
  ask: Requests[name]['ask'],
): Promise<Requests[name]['answer']> {
  // If Chrome stops the worker in the meantime, this call rejects, or resolves without an answer. The window handles both in the same way.
  const answer = await chrome.runtime.sendMessage({ name, ask: toJson(ask) }).catch(() => undefined)
  const text: unknown = answer?.text
  if (typeof text !== 'string') throw new AskError('noAnswer', 'The worker was stopped before it answered.')
  const read = fromJson<{ value?: Requests[name]['answer']; failure?: AskFailure }>(text)
  if (read.failure !== undefined)
    throw new AskError(read.failure.code, read.failure.message, read.failure.field)
  // The worker's own answer to this request.
  return read.value as Requests[name]['answer']
}

/** Calls `listener` after every change in the worker, until the returned function is called. */
export function onChanged(listener: () => void): () => void {
  const onMessage = (message: unknown) => {
    if (Object(message).changed === true) listener()
  }
  chrome.runtime.onMessage.addListener(onMessage)
  return () => chrome.runtime.onMessage.removeListener(onMessage)
}
