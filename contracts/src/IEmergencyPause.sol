// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title A pause that ends by itself
/// @notice A pauser can stop a contract for 7 days, once. Only the admin lifts or extends a pause. After 3 days of pause
/// customers can leave with what is theirs, so that nobody can lock their money away.
/// @dev PROTOCOL.md 6.4. Every time is in unix seconds.
interface IEmergencyPause {
    /// @notice The contract is paused, or its pause has a new end.
    /// @param account the pauser, or the admin
    /// @param until first second that is not paused any more. The end itself emits nothing
    event Paused(address indexed account, uint256 until);

    /// @notice The admin lifted the pause before its end.
    /// @param account the admin
    event Unpaused(address indexed account);

    /// @notice The contract is paused.
    error EnforcedPause();

    /// @notice The contract is not paused.
    error ExpectedPause();

    /// @notice A pause has to end in the future.
    /// @param until the end that was asked for
    /// @param timestamp now
    error PauseAlreadyOver(uint256 until, uint256 timestamp);

    /// @notice What customers may do after 3 days of pause is not open.
    /// @param opensAt when it opens; zero while there is no pause
    error ExitNotOpen(uint256 opensAt);

    /// @notice Pauses the contract for 7 days and takes the pauser role from the caller, who has used it up.
    /// @dev Requires the pauser role, of the admin too, and no pause: a second pauser does not extend the first one's.
    function pause() external;

    /// @notice Pauses the contract until a time, or gives a pause another end. Only the admin.
    /// @dev However long it is, customers can leave 3 days after its beginning.
    /// @param until first second that is not paused any more; above the current time
    function pauseUntil(uint40 until) external;

    /// @notice Lifts the pause. Only the admin.
    function unpause() external;

    /// @notice Whether the contract is paused.
    function paused() external view returns (bool);

    /// @notice The end of the pause, or of the last one; zero before the first.
    function pausedUntil() external view returns (uint256);

    /// @notice From when on customers can leave, as long as the pause lasts: 3 days after it began. Zero while there is no pause.
    /// @dev A pause that begins less than 3 days after the end of another one continues it: it does not begin to count again.
    function exitOpensAt() external view returns (uint256);
}
