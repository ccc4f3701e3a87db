import type { Pipe } from '../../chains/anvil/connectPipe.ts'
import type { Impersonated } from './snapshots.ts'

/** The same way to a node; which accounts others have it play is written down, because its snapshots do not know. */
export function noteImpersonation({ ask }: Pick<Pipe, 'ask'>, noted: Impersonated): Pick<Pipe, 'ask'> {
  return {
    ask: (method, params) => {
      const [, name = ''] = /^(?:anvil|hardhat)_(\w+)$/.exec(method) ?? []
      const [first] = Array.isArray(params) ? params : []
      if (name === 'impersonateAccount' && typeof first === 'string') noted.accounts.add(first.toLowerCase())
      if (name === 'stopImpersonatingAccount' && typeof first === 'string')
        noted.accounts.delete(first.toLowerCase())
      if (name === 'autoImpersonateAccount') noted.all = first === true
      return ask(method, params)
    },
  }
}
