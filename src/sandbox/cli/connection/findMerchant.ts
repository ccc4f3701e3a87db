import type { Command } from 'commander'
import { SandboxNotKnownError } from './errors.ts'
import { findSandbox } from './findSandbox.ts'

/**
 * As {@link findSandbox}, for what needs the merchant's key.
 *
 * @throws {@link SandboxNotKnownError} when there is none, or one that no header can carry
 */
export async function findMerchant(
  command: Command,
): Promise<{ url: string; apiKey: string; headerPrefix?: string | undefined }> {
  const { url, apiKey, headerPrefix } = await findSandbox(command)
  if (apiKey === undefined || apiKey === '')
    throw new SandboxNotKnownError(`No sandbox that says its API key runs at ${url} on this machine.`, {
      field: '--api-key',
      fix: 'Start one with npx redeemkit sandbox; or give --api-key, as the sandbox printed it, set REDEEMKIT_API_KEY, or name its folder with --data-dir.',
    })
  // RFC 9110 5.5: what a header's value is made of.
  if (/^[\x21-\x7e]+$/.test(apiKey)) return { url, apiKey, headerPrefix }
  throw new SandboxNotKnownError(
    'The API key has characters that no key has: blanks, line breaks, or letters beyond ASCII.',
    {
      field: '--api-key',
      fix: 'Copy it again from what the sandbox printed.',
    },
  )
}
