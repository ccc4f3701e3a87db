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
