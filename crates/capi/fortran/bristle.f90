! bristle.h for Fortran: the functions of laws, by ISO_C_BINDING. Statuses, units and conventions are those of
! bristle.h; derivatives that are not wanted are c_null_ptr, others c_loc of an array. Matrices of bristle.h are row
! major: an array of Fortran has the components of what is differentiated along its second dimension.
module bristle
    use, intrinsic :: iso_c_binding
    implicit none
    public

    integer(c_int), parameter :: bristle_ok = 0, bristle_unknown_name = 1, bristle_parameter = 2, &
        bristle_argument = 3, bristle_not_finite = 4, bristle_failed = 5, bristle_room = 6, bristle_internal = 7

    interface
        integer(c_int) function bristle_abi_version() bind(c)
            import
        end function

        type(c_ptr) function bristle_last_error() bind(c)
            import
        end function

        integer(c_int) function bristle_law_new(name, names, values, count, law) bind(c)
            import
            character(kind=c_char), intent(in) :: name(*)
            type(c_ptr), intent(in) :: names(*)
            real(c_double), intent(in) :: values(*)
            integer(c_size_t), value :: count
            type(c_ptr), intent(out) :: law
        end function

        integer(c_int) function bristle_law_from_toml(text, length, law) bind(c)
            import
            character(kind=c_char), intent(in) :: text(*)
            integer(c_size_t), value :: length
            type(c_ptr), intent(out) :: law
        end function

        subroutine bristle_law_free(law) bind(c)
            import
            type(c_ptr), value :: law
        end subroutine

        integer(c_int) function bristle_law_states(law, dim, count) bind(c)
            import
            type(c_ptr), value :: law
            integer(c_int), value :: dim
            integer(c_size_t), intent(out) :: count
        end function

        integer(c_int) function bristle_law_value(law, name, value) bind(c)
            import
            type(c_ptr), value :: law
            character(kind=c_char), intent(in) :: name(*)
            real(c_double), intent(out) :: value
        end function

        integer(c_int) function bristle_law_state_size(law, dim, state, normal_force, size) bind(c)
            import
            type(c_ptr), value :: law
            integer(c_int), value :: dim
            integer(c_size_t), value :: state
            real(c_double), value :: normal_force
            real(c_double), intent(out) :: size
        end function

        integer(c_int) function bristle_start(law, dim, v, normal_force, z) bind(c)
            import
            type(c_ptr), value :: law
            integer(c_int), value :: dim
            real(c_double), intent(in) :: v(*)
            real(c_double), value :: normal_force
            real(c_double), intent(out) :: z(*)
        end function

        integer(c_int) function bristle_rates(law, dim, v, normal_force, z, force, zdot, dF_dv, dF_dN, dF_dz, &
                dz_dv, dz_dN, dz_dz) bind(c)
            import
            type(c_ptr), value :: law
            integer(c_int), value :: dim
            real(c_double), intent(in) :: v(*), z(*)
            real(c_double), value :: normal_force
            real(c_double), intent(out) :: force(*), zdot(*)
            type(c_ptr), value :: dF_dv, dF_dN, dF_dz, dz_dv, dz_dN, dz_dz
        end function

        integer(c_int) function bristle_update(law, dim, dt, v_mean, N_mean, v_end, N_end, z_old, z_new, force, &
                dF_dvm, dF_dv, dF_dNm, dF_dN) bind(c)
            import
            type(c_ptr), value :: law
            integer(c_int), value :: dim
            real(c_double), value :: dt, N_mean, N_end
            real(c_double), intent(in) :: v_mean(*), v_end(*), z_old(*)
            real(c_double), intent(out) :: z_new(*), force(*)
            type(c_ptr), value :: dF_dvm, dF_dv, dF_dNm, dF_dN
        end function

        integer(c_int) function bristle_update_jacobian(law, dim, dt, v_mean, N_mean, v_end, N_end, z_old, z_new, &
                force, jacobian) bind(c)
            import
            type(c_ptr), value :: law
            integer(c_int), value :: dim
            real(c_double), value :: dt, N_mean, N_end
            real(c_double), intent(in) :: v_mean(*), v_end(*), z_old(*)
            real(c_double), intent(out) :: z_new(*), force(*), jacobian(*)
        end function

        integer(c_int) function bristle_steady(law, speed, normal_force, force) bind(c)
            import
            type(c_ptr), value :: law
            real(c_double), value :: speed, normal_force
            real(c_double), intent(out) :: force
        end function

        integer(c_int) function bristle_stored_energy(law, dim, normal_force, z, energy) bind(c)
            import
            type(c_ptr), value :: law
            integer(c_int), value :: dim
            real(c_double), value :: normal_force
            real(c_double), intent(in) :: z(*)
            real(c_double), intent(out) :: energy
        end function

        integer(c_int) function bristle_margin(law, dim, v, normal_force, z, margin) bind(c)
            import
            type(c_ptr), value :: law
            integer(c_int), value :: dim
            real(c_double), intent(in) :: v(*), z(*)
            real(c_double), value :: normal_force
            real(c_double), intent(out) :: margin
        end function

        integer(c_int) function bristle_switch(law, dim, v, normal_force, z) bind(c)
            import
            type(c_ptr), value :: law
            integer(c_int), value :: dim
            real(c_double), intent(in) :: v(*)
            real(c_double), value :: normal_force
            real(c_double), intent(inout) :: z(*)
        end function

        integer(c_int) function bristle_drive(law, dim, rtol, n, t, v, normal_force, applied, force) bind(c)
            import
            type(c_ptr), value :: law
            integer(c_int), value :: dim
            real(c_double), value :: rtol
            integer(c_size_t), value :: n
            real(c_double), intent(in) :: t(*), v(*), normal_force(*)
            type(c_ptr), value :: applied
            real(c_double), intent(out) :: force(*)
        end function
    end interface

    interface
        integer(c_size_t) function bristle_text_length(text) bind(c, name='strlen')
            import
            type(c_ptr), value :: text
        end function
    end interface

contains

    ! What went wrong in the last call of this thread that failed.
    function bristle_message() result(message)
        character(:), allocatable :: message
        character(kind=c_char), pointer :: bytes(:)
        type(c_ptr) :: text
        integer(c_size_t) :: length, i

        text = bristle_last_error()
        length = bristle_text_length(text)
        call c_f_pointer(text, bytes, [length])
        allocate (character(length) :: message)
        do i = 1, length
            message(i:i) = bytes(i)
        end do
    end function
end module
