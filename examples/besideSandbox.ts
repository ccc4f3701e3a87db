import { type RunningSandbox, startSandbox } from '@redeemkit/sandbox'
import type { StartedExample, StartOptions } from './example.ts'

/** Starts the sandbox service, then runs the example's `work`. Stops the service if `work` fails. */
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

export function baseOf({ chains }: RunningSandbox): NonNullable<RunningSandbox['chains']['base']> {
  if (chains.base === undefined) throw new Error('The sandbox does not run Base.')
  return chains.base
}
