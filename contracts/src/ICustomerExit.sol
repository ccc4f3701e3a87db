// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title A customer's way out of a pause
/// @notice While a pause is older than 3 days, a customer takes the USDC behind its own credits to its own wallet. Nobody else
/// has to agree; the customer needs no gas, because anyone may relay the signature.
/// @dev This exit also serves a thief: whoever holds a customer's key can take the customer's USDC, at no merchant's
/// whitelist and whatever a pause was meant to stop. USDC that is paused, or that blocks the wallet or this contract, stops it.
interface ICustomerExit {
    /// @notice The signature is not the customer's for this exit, now: any field, or the nonce, may be another.
    /// @param customerWallet whose credits were asked for
    /// @param digest what that wallet has to sign
    error InvalidBurnSignature(address customerWallet, bytes32 digest);

    /// @notice Takes `amount` of credits from the customer and pays the USDC behind it to that same wallet, on the wallet's
    /// signature of `BurnCredits(address customerWallet,string creditSeed,uint256 amount,uint256 validBefore,uint256 nonce)`.
    /// Anyone may relay it. Emits `Burned`.
    /// @dev Only from 3 days after the beginning of a pause until its end (`exitOpensAt`). At other times a `token` redeem to
    /// the own wallet does the same. Reverts unless all credits and fees are backed afterwards: when USDC is missing, nobody
    /// leaves at the cost of those who come later. Serves a thief of the customer's key, too.
    /// @param customerWallet whose credits they are, and who receives the USDC
    /// @param creditSeed name of the credit balance
    /// @param amount raw units, above zero
    /// @param validBefore unix seconds, exclusive
    /// @param signature of a key (65 bytes) or of a contract (ERC-1271); its nonce is `burnNonce(customerWallet)`
    function burnBySignature(
        address customerWallet,
        string calldata creditSeed,
        uint256 amount,
        uint256 validBefore,
        bytes calldata signature
    ) external;

    /// @notice The nonce of the wallet's next `BurnCredits`: how many it has used. Apart from order keys and permits.
    function burnNonce(address customerWallet) external view returns (uint256);

    /// @notice What the customer signs for `burnBySignature` now. Domain: `name` "Credits", `version` "1".
    function hashBurnCredits(address customerWallet, string calldata creditSeed, uint256 amount, uint256 validBefore)
        external
        view
        returns (bytes32 digest);
}
