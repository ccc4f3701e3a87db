import {
  type Address,
  type Hex,
  isHex,
  type LocalAccount,
  numberToHex,
  serializeErc6492Signature,
} from 'viem'
import type { EvmClient } from '../../../redeemkit/evm/client.ts'
import { type WalletRequest, walletError } from './walletProfile.ts'

/**
 * A smart account. `encode` converts the owner's signature to the account's. By default, the signature is not changed.
 *
 * - `erc1271`: a contract deployed at `address`
 * - `erc6492`: not deployed yet. Signatures are wrapped with the deployment call until `client` finds code at `address`
 * - `eip7702`: the key's own account, which delegates to code
 */
export type SmartAccount = { encode?: ((signature: Hex) => Hex) | undefined } & (
  | { kind: 'erc1271'; address: Address }
  | { kind: 'erc6492'; address: Address; factory: Address; factoryData: Hex }
  | { kind: 'eip7702' }
)

export type WalletState = { chainId: number; connected: boolean }

/** Creates a wallet without defects. It is unlocked and has one account, and its user approves all prompts. */
export function honestWallet(options: {
  key: LocalAccount
  address: Address
  smartAccount: SmartAccount | undefined
  client: EvmClient | undefined
  state: WalletState
  takesIntent: boolean
  emit: (event: string, value: unknown) => void
}): (request: WalletRequest) => Promise<unknown> {
  const { key, address, client, state, takesIntent, emit } = options
  const shown = () => (state.connected ? [address] : [])

  function checkAccount(account: unknown): void {
    if (state.connected && String(account).toLowerCase() === address.toLowerCase()) return
    throw walletError(4100, 'The requested account has not been authorized by the user.')
  }

  return async ({ method, params }) => {
    // The parameters depend on the method (EIP-1193), and each method checks its own.
    const [first, second, third] = (Array.isArray(params) ? params : []) as unknown[]
    switch (method) {
      case 'eth_accounts':
        return shown()
      case 'eth_requestAccounts':
        state.connected = true
        emit('accountsChanged', shown())
        return shown()
      case 'eth_chainId':
        return numberToHex(state.chainId)
      case 'wallet_getCapabilities':
        return takesIntent ? { '0x0': { redeemIntent: { supported: true, version: 1 } } } : {}
      case 'wallet_switchEthereumChain':
        state.chainId = Number(Object(first).chainId)
        emit('chainChanged', numberToHex(state.chainId))
        return null
      case 'personal_sign':
        checkAccount(second)
        return seal(
          await key.signMessage({ message: isHex(first) ? { raw: first } : String(first) }),
          options,
        )
      case 'eth_signTypedData_v4':
        checkAccount(first)
        if (third !== undefined && !takesIntent)
          throw walletError(-32602, 'eth_signTypedData_v4 takes two parameters.')
        return seal(await key.signTypedData(JSON.parse(String(second))), options)
      default:
        // The node behind the wallet handles read methods.
        if (client !== undefined && /^(?:eth_(?:get|call|block|estimate|fee|gas)|net_)/.test(method))
          return client.request({ method, params })
        throw walletError(4200, `The method ${method} is not supported.`)
    }
  }
}

/** Converts the owner's signature to the account's. */
async function seal(
  signature: Hex,
  { smartAccount, client }: Pick<Parameters<typeof honestWallet>[0], 'smartAccount' | 'client'>,
): Promise<Hex> {
  if (smartAccount === undefined) return signature
  const sealed = smartAccount.encode?.(signature) ?? signature
  if (smartAccount.kind !== 'erc6492') return sealed
  const { address, factory, factoryData } = smartAccount
  const code = await client?.request({ method: 'eth_getCode', params: [address, 'latest'] })
  if (code !== undefined && code !== '0x') return sealed
  return serializeErc6492Signature({ address: factory, data: factoryData, signature: sealed })
}
