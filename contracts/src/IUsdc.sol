// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title EIP-3009 with a signature in three parts, only for accounts with a key
/// @dev Times are unix seconds and exclusive.
interface IUsdcV1 {
    /// @notice Moves `value` from `from` to `to` on the signature of `from`. Anyone may call it.
    /// @param from the account that pays and signed
    /// @param to the account that is paid
    /// @param value raw units
    /// @param validAfter unix seconds: the authorization is valid after this second
    /// @param validBefore unix seconds: the authorization is invalid from this second on
    /// @param nonce single use for each `from`
    /// @param v last byte of the signature: 27 or 28
    /// @param r first 32 bytes of the signature
    /// @param s second 32 bytes of the signature, in the lower half of the curve's order
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;

    /// @notice Moves `value` from `from` to `to` on the signature of `from`. Only `to` may call it.
    /// @param from the account that pays and signed
    /// @param to the account that is paid
    /// @param value raw units
    /// @param validAfter unix seconds: the authorization is valid after this second
    /// @param validBefore unix seconds: the authorization is invalid from this second on
    /// @param nonce single use for each `from`
    /// @param v last byte of the signature: 27 or 28
    /// @param r first 32 bytes of the signature
    /// @param s second 32 bytes of the signature, in the lower half of the curve's order
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;
}

/// @title EIP-3009 with a signature of any length, for accounts with a key and for ERC-1271 contracts
/// @dev Times are unix seconds and exclusive.
interface IUsdcV2 {
    /// @notice Moves `value` from `from` to `to` on the signature of `from`. Anyone may call it.
    /// @param from the account that pays and signed
    /// @param to the account that is paid
    /// @param value raw units
    /// @param validAfter unix seconds: the authorization is valid after this second
    /// @param validBefore unix seconds: the authorization is invalid from this second on
    /// @param nonce single use for each `from`
    /// @param signature by the key, or by the contract (ERC-1271)
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;

    /// @notice Moves `value` from `from` to `to` on the signature of `from`. Only `to` may call it.
    /// @param from the account that pays and signed
    /// @param to the account that is paid
    /// @param value raw units
    /// @param validAfter unix seconds: the authorization is valid after this second
    /// @param validBefore unix seconds: the authorization is invalid from this second on
    /// @param nonce single use for each `from`
    /// @param signature by the key, or by the contract (ERC-1271)
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;
}

/// @title The functions of USDC (FiatToken v2.2) that the credits contract needs in addition to ERC-20
interface IUsdc is IERC20, IUsdcV1, IUsdcV2 {
    /// @notice Returns the separator of the EIP-712 domain in which authorizations are signed.
    /// @return the domain separator
    function DOMAIN_SEPARATOR() external view returns (bytes32);

    /// @notice Returns whether an authorization was used or cancelled.
    /// @param authorizer the account that signed it
    /// @param nonce its nonce
    /// @return true if it was used or cancelled
    function authorizationState(address authorizer, bytes32 nonce) external view returns (bool);
}
