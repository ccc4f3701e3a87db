import { type RunningSandbox, startSandbox } from '@redeemkit/sandbox'

/** Starts an example with the local service. Each folder that `npm run example` knows exports one as `start` from `start.ts`. */
export type Start = (options: StartOptions) => Promise<StartedExample>

export type StartOptions = {
  /** Prints a line of progress. Throws after Ctrl+C, so that a start that is still running ends. */
  say: (text: string) => void
  /** Port of the page or server; 0 picks a free one. Default: the example's own. */
  port?: number | undefined
}

export type StartedExample = {
  url?: string | undefined
  /** The text to print: instructions for the user, or the result. */
  howTo: string
  /** Whether a finished example succeeded. Absent for examples that run until Ctrl+C. */
  succeeded?: boolean | undefined
  close: () => Promise<void>
}

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
