// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEmergencyPause} from "./IEmergencyPause.sol";
import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";

/// @title The pause of a contract, and when customers can leave
/// @dev A contract can override where the end of the pause is stored, to use a slot that its money path reads anyway.
abstract contract EmergencyPause is IEmergencyPause, AccessControlDefaultAdminRules {
    /// @notice May pause the contract for 7 days, once.
    bytes32 public constant PAUSER_ROLE = keccak256("PAUSER_ROLE");

    uint256 private constant PAUSE_DURATION = 7 days;
    /// @dev Time from the start of a pause until customers can leave. If a pause begins within this time after a
    /// previous one ended, the time counts from the start of the previous pause.
    uint256 private constant EXIT_DELAY = 3 days;

    /// @dev Start of the current or last pause.
    uint40 private _pausedSince;
    /// @dev End of the current or last pause.
    uint40 private _pauseEnd;

    modifier whenNotPaused() {
        _requireNotPaused();
        _;
    }

    /// @inheritdoc IEmergencyPause
    function pause() external whenNotPaused onlyRole(PAUSER_ROLE) {
        _revokeRole(PAUSER_ROLE, msg.sender);
        _pause(uint40(block.timestamp + PAUSE_DURATION));
    }

    /// @inheritdoc IEmergencyPause
    function pauseUntil(uint40 until) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (until <= block.timestamp) revert PauseAlreadyOver(until, block.timestamp);
        _pause(until);
    }

    /// @inheritdoc IEmergencyPause
    function unpause() external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (!paused()) revert ExpectedPause();
        // Keep the time as the end of this pause: a pause that begins soon afterwards counts from the same start.
        _setPausedUntil(uint40(block.timestamp));
        emit Unpaused(msg.sender);
    }

    /// @inheritdoc IEmergencyPause
    function paused() public view returns (bool) {
        return block.timestamp < _pausedUntil();
    }

    /// @inheritdoc IEmergencyPause
    function exitOpensAt() public view returns (uint256) {
        return paused() ? _pausedSince + EXIT_DELAY : 0;
    }

    /// @inheritdoc IEmergencyPause
    function pausedUntil() external view returns (uint256) {
        return _pausedUntil();
    }

    function _pausedUntil() internal view virtual returns (uint256) {
        return _pauseEnd;
    }

    function _setPausedUntil(uint40 until) internal virtual {
        _pauseEnd = until;
    }

    function _requireNotPaused() internal view {
        if (paused()) revert EnforcedPause();
    }

    /// @dev The exit is closed only in the first 3 days of a pause.
    function _requireExitOpen() internal view {
        uint256 opensAt = exitOpensAt();
        if (block.timestamp < opensAt) revert ExitNotOpen(opensAt);
    }

    function _pause(uint40 until) private {
        if (block.timestamp >= _pausedUntil() + EXIT_DELAY) _pausedSince = uint40(block.timestamp);
        _setPausedUntil(until);
        emit Paused(msg.sender, until);
    }
}
