import { type Address, concatHex, type Hex, pad, recoverAddress, slice } from 'viem'
import type { EvmClient } from '../client.ts'

/** A fake node: no address has code, and only the `ecrecover` precompile at address 1 works. */
export const bareChain: EvmClient = {
  request: async ({ method, params }) => {
    const [call] = params as [{ to: Address; data: Hex }]
    if (method === 'eth_getCode' || !/^0x0{39}1$/.test(call.to)) return '0x'
    const input = concatHex([call.data, `0x${'00'.repeat(128)}`])
    const yParity = Number(BigInt(slice(input, 32, 64)) - 27n)
    const [r, s] = [slice(input, 64, 96), slice(input, 96, 128)]
    return pad(await recoverAddress({ hash: slice(input, 0, 32), signature: { r, s, yParity } }))
  },
}
