import { type RunningSandbox, startSandbox } from '@redeemkit/sandbox'
import type { StartedExample, StartOptions } from './example.ts'

/**
 * Starts the payments service with one chain, and then what an example does with it. When that fails, the service is stopped.
 *
 * @param options.say told of each step
 * @param options.sandbox options of the service, beside Base as its chain
 */
export async function besideSandbox(
  options: Pick<StartOptions, 'say'> & { sandbox?: Omit<startSandbox.Options, 'service'> },
  work: (sandbox: RunningSandbox) => Promise<Omit<StartedExample, 'close'> & { close?: () => Promise<void> }>,
): Promise<StartedExample> {
  const sandbox = await startSandbox({ bridge: false, ...options.sandbox, onProgress: options.say })
  try {
    const { close, ...example } = await work(sandbox)
    return {
      ...example,
      close: async () => {
        await close?.()
        await sandbox.stop()
      },
    }
  } catch (error) {
    await sandbox.stop()
    throw error
  }
}

/** The chain that a sandbox starts when no other is named. */
export function baseOf({ chains }: RunningSandbox): NonNullable<RunningSandbox['chains']['base']> {
  if (chains.base === undefined) throw new Error('The service runs without Base.')
  return chains.base
}
