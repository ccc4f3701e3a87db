import type { Command } from 'commander'
import { SandboxNotKnownError } from './errors.ts'
import { findSandbox } from './findSandbox.ts'

/**
 * As {@link findSandbox}, for what needs the merchant's key.
 *
 * @throws {@link SandboxNotKnownError} when there is none
 */
export async function findMerchant(command: Command): Promise<{ url: string; apiKey: string }> {
  const { url, apiKey } = await findSandbox(command)
  if (apiKey !== undefined && apiKey !== '') return { url, apiKey }
  throw new SandboxNotKnownError("The merchant's API key is not given.", {
    field: '--api-key',
    fix: 'Give --api-key, as redeemkit sandbox printed it, set REDEEMKIT_API_KEY, or name its folder with --data-dir.',
  })
}
