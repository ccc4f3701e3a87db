import { loadModule, type ModuleLoadError } from '../../core/loadModule.ts'

/** The code that a connected wallet needs: it checks, signs, submits and recovers redeems. */
export type Engine = typeof import('./engine.ts')

const load = /* @__PURE__ */ loadModule(() => import('./engine.ts'))
let engine: Engine | undefined

/**
 * Loads the engine once. Later calls return it from memory, so that a click does not wait for a file.
 *
 * @throws ModuleLoadError if it cannot be loaded; the next call tries again
 */
export async function loadEngine(): Promise<Engine> {
  engine ??= await load()
  return engine
}

export declare namespace loadEngine {
  type ErrorType = ModuleLoadError
}

export const loadedEngine = (): Engine | undefined => engine
