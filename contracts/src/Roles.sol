// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {EmergencyPause} from "./EmergencyPause.sol";
import {ICredits} from "./ICredits.sol";
import {InitialRoles} from "./InitialRoles.sol";

/// @title Who may do what
abstract contract Roles is ICredits, InitialRoles, EmergencyPause {
    /// @notice Relays redeems for a fee, uses unbound permits, credits early authorizations.
    bytes32 public constant OPERATOR_ROLE = keccak256("OPERATOR_ROLE");
    /// @notice Mints credits that it pays for, and pays credits out to the customer who holds them.
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");
    /// @notice Sets whitelist entries and whether a credit seed takes unbound permits.
    bytes32 public constant WHITELIST_ROLE = keccak256("WHITELIST_ROLE");
}
