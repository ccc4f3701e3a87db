import { loadModule, type ModuleLoadError } from '../core/loadModule.ts'
import { ChainReadError } from '../evm/client.ts'

const load = /* @__PURE__ */ loadModule(() => import('./onDemand.ts'))

export async function loadOnDemand(): Promise<typeof import('./onDemand.ts')> {
  try {
    return await load()
  } catch (error) {
    const cause = error as ModuleLoadError // `load` throws no other error
    throw new ChainReadError(cause.shortMessage, { field: 'publicClient', fix: cause.fix, cause })
  }
}
