// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title A pause that ends by itself
/// @notice A pauser can pause a contract for 7 days, once. Only the admin can lift or extend a pause. Customers can
/// withdraw their own money 3 days after a pause began, so that no key can lock it.
/// @dev See PROTOCOL.md 6.4. Times are in unix seconds.
interface IEmergencyPause {
    /// @notice The contract was paused, or the end of its pause changed.
    /// @param account the pauser, or the admin
    /// @param until first second after the pause. No event is emitted at the end
    event Paused(address indexed account, uint256 until);

    /// @notice The admin lifted the pause before its end.
    /// @param account the admin
    event Unpaused(address indexed account);

    /// @notice The contract is paused.
    error EnforcedPause();

    /// @notice The contract is not paused.
    error ExpectedPause();

    /// @notice The end of a pause must be in the future.
    /// @param until the requested end
    /// @param timestamp the current time
    error PauseAlreadyOver(uint256 until, uint256 timestamp);

    /// @notice The customers' exit is closed in the first 3 days of a pause.
    /// @param opensAt when it opens
    error ExitNotOpen(uint256 opensAt);

    /// @notice Pauses the contract for 7 days and revokes the caller's pauser role. Callable only by a pauser.
    /// @dev Reverts while paused: a second pauser cannot extend the pause of the first.
    function pause() external;

    /// @notice Pauses the contract until a time, or changes the end of a pause. Callable only by the admin.
    /// @dev Customers can leave 3 days after the start, regardless of the pause's length.
    /// @param until first second after the pause; in the future
    function pauseUntil(uint40 until) external;

    /// @notice Lifts the pause. Callable only by the admin.
    function unpause() external;

    /// @notice Returns whether the contract is paused.
    function paused() external view returns (bool);

    /// @notice Returns the end of the current or last pause; zero before the first.
    function pausedUntil() external view returns (uint256);

    /// @notice Returns when the customers' exit opens: 3 days after the pause began. Returns zero while not paused, because the
    /// exit is then open.
    /// @dev If a pause begins less than 3 days after the end of a previous one, the 3 days count from the start of the previous one.
    function exitOpensAt() external view returns (uint256);
}
