import { SandboxNotKnownError } from './errors.ts'
import type { FoundSandbox } from './findSandbox.ts'

/**
 * Refuses a sandbox that is known to play a service of unbound permits (PROTOCOL.md 4.6), of whose redeems the commands can say
 * nothing.
 *
 * @throws {@link SandboxNotKnownError}
 */
export function checkBound({ url, service }: Pick<FoundSandbox, 'url' | 'service'>): void {
  if (service !== 'unbound') return
  throw new SandboxNotKnownError(
    `The sandbox at ${url} runs with --service unbound: its permits do not say what they pay for.`,
    {
      field: '--url',
      fix: 'Start one without that option: npx redeemkit sandbox --port 0. A program redeems on this one with the pin intentBound: false.',
    },
  )
}
