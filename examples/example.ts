/** Starts an example beside the local service. Each folder that `npm run example` knows exports one as `start`, from `start.ts`. */
export type Start = (options: StartOptions) => Promise<StartedExample>

export type StartOptions = {
  /** Tells what is being done, a line each. Throws once Ctrl+C was pressed, so that a start which is under way ends. */
  say: (text: string) => void
  /** Where a page or a server listens; 0 takes a free one. Default: the example's own. */
  port?: number | undefined
}

export type StartedExample = {
  /** Where a page or a server listens. */
  url?: string | undefined
  /** What a person may do with it, or what came of it, as it is printed. */
  howTo: string
  /** There when the example has done its work, and says whether it went well. The others run until Ctrl+C. */
  succeeded?: boolean | undefined
  /** Ends all that was started. */
  close: () => Promise<void>
}
