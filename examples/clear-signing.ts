import { creditPermitDescriptor, networks, usdcAuthorizationDescriptors } from 'redeemkit/evm'

/** Descriptors (ERC-7730) of a shop's credits contract and of USDC, by file name. */
export function descriptorsOf(contract: { chainId: number; address: `0x${string}` }) {
  const files = [
    creditPermitDescriptor({
      owner: 'Moonrise Prints',
      url: 'https://moonrise.example',
      deployments: [contract],
    }),
    ...usdcAuthorizationDescriptors(networks),
  ]
  return Object.fromEntries(files.map(({ name, descriptor }) => [`${name}.json`, descriptor]))
}
