import { type Abi, type Address, encodeDeployData, type Hex, type PublicClient } from 'viem'
import { waitForReceipt } from '../../src/sandbox/chains/waitForReceipt.ts'

const deployer = '0x00000000000000000000000000000000deadbeef'

/** Deploys a contract on a local Anvil chain, from an account that Anvil impersonates. */
export async function deployContract(
  client: PublicClient,
  contract: { abi: Abi; bytecode: Hex; args: readonly unknown[] },
): Promise<Address> {
  const request = (method: string, params: readonly unknown[]): Promise<unknown> =>
    // Anvil's own methods are not in viem's list.
    client.request({ method, params } as never)
  await request('anvil_setBalance', [deployer, '0x56bc75e2d63100000'])
  await request('anvil_impersonateAccount', [deployer])
  const transaction = { from: deployer, data: encodeDeployData(contract), gas: '0x7a1200' }
  const hash = await request('eth_sendTransaction', [transaction])
  // A transaction's hash is hex.
  const { contractAddress } = await waitForReceipt(client, hash as Hex)
  if (!contractAddress) throw new Error('The contract was not deployed.')
  return contractAddress
}
