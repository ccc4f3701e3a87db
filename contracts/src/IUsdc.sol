// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title EIP-3009 with a signature in three parts: key-held accounts only
/// @dev Times are unix seconds and exclusive.
interface IUsdcV1 {
    /// @notice Moves `value` from `from` to `to` on the signature of `from`. Anyone may call it.
    /// @param from who pays and signed
    /// @param to who is paid
    /// @param value raw units
    /// @param validAfter the authorization is valid after this second
    /// @param validBefore the authorization has expired from this second on
    /// @param nonce used once for each `from`
    /// @param v last byte of the signature: 27 or 28
    /// @param r its first 32 bytes
    /// @param s its second 32 bytes, in the lower half of the curve's order
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
    /// @param from who pays and signed
    /// @param to who is paid
    /// @param value raw units
    /// @param validAfter the authorization is valid after this second
    /// @param validBefore the authorization has expired from this second on
    /// @param nonce used once for each `from`
    /// @param v last byte of the signature: 27 or 28
    /// @param r its first 32 bytes
    /// @param s its second 32 bytes, in the lower half of the curve's order
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

/// @title EIP-3009 with a signature of any length: key-held accounts and ERC-1271 contracts
/// @dev Times are unix seconds and exclusive.
interface IUsdcV2 {
    /// @notice Moves `value` from `from` to `to` on the signature of `from`. Anyone may call it.
    /// @param from who pays and signed
    /// @param to who is paid
    /// @param value raw units
    /// @param validAfter the authorization is valid after this second
    /// @param validBefore the authorization has expired from this second on
    /// @param nonce used once for each `from`
    /// @param signature of the key, or of the contract (ERC-1271)
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
    /// @param from who pays and signed
    /// @param to who is paid
    /// @param value raw units
    /// @param validAfter the authorization is valid after this second
    /// @param validBefore the authorization has expired from this second on
    /// @param nonce used once for each `from`
    /// @param signature of the key, or of the contract (ERC-1271)
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

/// @title The functions of USDC (FiatToken v2.2) that the credits contract needs besides ERC-20
interface IUsdc is IERC20, IUsdcV1, IUsdcV2 {
    /// @notice The EIP-712 domain that its authorizations are signed for.
    /// @return its separator
    function DOMAIN_SEPARATOR() external view returns (bytes32);

    /// @notice Whether an authorization was used or cancelled.
    /// @param authorizer who signed it
    /// @param nonce its nonce
    /// @return whether it was
    function authorizationState(address authorizer, bytes32 nonce) external view returns (bool);
}
