C     Friction laws of Bristle in Abaqus: FRIC (Standard) and VFRIC
C     (Explicit, contact pairs). One file, with libbristle; how to use
C     it stands in docs/guide/abaqus.md.
C
C     Everything is per area: tractions and pressures in the place of
C     forces. PROPS(1) is the line of bristle-laws.txt with the name of
C     the law file. Laws are read once, before any contact is computed,
C     and never change, so that threads share them. What a law remembers
C     is in STATEV alone: repeated iterations and rejected increments
C     leave no trace.
      module bristle_abaqus
      use, intrinsic :: iso_c_binding
      implicit none
      integer, parameter :: most_laws = 64, most_states = 64
      type abaqus_law
        type(c_ptr) :: handle = c_null_ptr
        integer :: vectors = 0, scalars = 0
      end type
      type(abaqus_law), save :: laws(most_laws)
      integer, save :: law_count = 0

      interface
        integer(c_int) function bristle_law_from_toml(text, length,
     &      law) bind(c)
          import
          character(kind=c_char), intent(in) :: text(*)
          integer(c_size_t), value :: length
          type(c_ptr), intent(out) :: law
        end function
        integer(c_int) function bristle_law_states(law, dim, count)
     &      bind(c)
          import
          type(c_ptr), value :: law
          integer(c_int), value :: dim
          integer(c_size_t), intent(out) :: count
        end function
        integer(c_int) function bristle_start(law, dim, v, n, z)
     &      bind(c)
          import
          type(c_ptr), value :: law
          integer(c_int), value :: dim
          real(c_double), intent(in) :: v(*)
          real(c_double), value :: n
          real(c_double), intent(out) :: z(*)
        end function
        integer(c_int) function bristle_update(law, dim, dt, v_mean,
     &      n_mean, v_end, n_end, z_old, z_new, force, df_dvm, df_dv,
     &      df_dnm, df_dn) bind(c)
          import
          type(c_ptr), value :: law
          integer(c_int), value :: dim
          real(c_double), value :: dt, n_mean, n_end
          real(c_double), intent(in) :: v_mean(*), v_end(*), z_old(*)
          real(c_double), intent(out) :: z_new(*), force(*)
          real(c_double), intent(out) :: df_dvm(*), df_dv(*)
          real(c_double), intent(out) :: df_dnm(*), df_dn(*)
        end function
        integer(c_int) function bristle_stored_energy(law, dim, n, z,
     &      energy) bind(c)
          import
          type(c_ptr), value :: law
          integer(c_int), value :: dim
          real(c_double), value :: n
          real(c_double), intent(in) :: z(*)
          real(c_double), intent(out) :: energy
        end function
        type(c_ptr) function bristle_last_error() bind(c)
          import
        end function
        integer(c_size_t) function text_length(text)
     &      bind(c, name='strlen')
          import
          type(c_ptr), value :: text
        end function
      end interface

      contains

C     The text of the last failure of this thread.
      function reason() result(text)
        character(500) :: text
        character(kind=c_char), pointer :: bytes(:)
        type(c_ptr) :: at
        integer :: i, n
        at = bristle_last_error()
        n = int(text_length(at))
        call c_f_pointer(at, bytes, [n])
        text = ' '
        do i = 1, min(n, len(text))
          text(i:i) = bytes(i)
        end do
      end function

C     Reads the law files that bristle-laws.txt of a folder names, one
C     a line; message is blank if all went well.
      subroutine read_laws(folder, message)
        character(*), intent(in) :: folder
        character(500), intent(out) :: message
        character(1024) :: line
        integer :: unit, status
        message = ' '
        law_count = 0
        open (newunit=unit, file=trim(folder)//'/bristle-laws.txt',
     &    status='old', action='read', iostat=status)
        if (status /= 0) then
          message = 'cannot read '//trim(folder)//'/bristle-laws.txt'
          return
        end if
        do while (message == ' ')
          read (unit, '(a)', iostat=status) line
          if (status /= 0) exit
          if (line == ' ') cycle
          if (law_count == most_laws) then
            message = 'bristle-laws.txt: more than 64 laws'
          else if (line(1:1) == '/') then
            call read_law(trim(line), message)
          else
            call read_law(trim(folder)//'/'//trim(line), message)
          end if
        end do
        close (unit)
      end subroutine

      subroutine read_law(path, message)
        character(*), intent(in) :: path
        character(500), intent(inout) :: message
        character(:), allocatable :: text
        type(c_ptr) :: handle
        integer :: unit, status, length
        integer(c_size_t) :: line, plane
        open (newunit=unit, file=path, status='old', action='read',
     &    access='stream', form='unformatted', iostat=status)
        if (status /= 0) then
          message = 'bristle-laws.txt: cannot read '//path
          return
        end if
        inquire (unit=unit, size=length)
        allocate (character(length) :: text)
        read (unit, iostat=status) text
        close (unit)
        if (bristle_law_from_toml(text, int(length, c_size_t), handle)
     &      /= 0) then
          message = path//': '//reason()
          return
        end if
        status = bristle_law_states(handle, 1, line)
        status = bristle_law_states(handle, 2, plane)
        law_count = law_count + 1
        laws(law_count)%handle = handle
        laws(law_count)%vectors = int(plane - line)
        laws(law_count)%scalars = int(2*line - plane)
      end subroutine

C     The law of PROPS(1), and whether the states have room.
      function chosen(number, dim, nstatv, message) result(law)
        integer, intent(in) :: number, dim, nstatv
        character(500), intent(out) :: message
        type(abaqus_law) :: law
        message = ' '
        if (number < 1 .or. number > law_count) then
          write (message, '(a,i0,a,i0)') 'PROPS(1) = ', number,
     &      ': bristle-laws.txt has laws 1 to ', law_count
          return
        end if
        law = laws(number)
        if (dim*law%vectors + law%scalars > min(nstatv, most_states))
     &    write (message, '(a,i0,a,i0)') 'DEPVAR is ', nstatv,
     &      ': the law needs ', dim*law%vectors + law%scalars
      end function
      end module

C     ------------------------------------------------------------------
C     Abaqus/Standard
      subroutine uexternaldb(lop, lrestart, time, dtime, kstep, kinc)
      use bristle_abaqus, only: read_laws
      include 'aba_param.inc'
      dimension time(2), intv(1), realv(1)
      character(256) outdir
      character(500) message
      character(8) charv(1)
C     at the start of an analysis, and of one that is restarted
      if (lop /= 0 .and. lop /= 4) return
      call getoutdir(outdir, lenoutdir)
      call read_laws(outdir(1:lenoutdir), message)
      if (message /= ' ') call stdb_abqerr(-3, message, intv, realv,
     &  charv)
      end

      subroutine fric(lm, tau, ddtddg, ddtddp, dslip, sed, sfd,
     &  ddtddt, pnewdt, statev, dgam, taulm, press, dpress, ddpddh,
     &  slip, kstep, kinc, time, dtime, noel, ciname, slname, msname,
     &  npt, node, npatch, coords, rcoord, drot, temp, predef, nfdir,
     &  mcrd, npred, nstatv, chrlngth, props, nprops)
      use bristle_abaqus
      include 'aba_param.inc'
      character(80) ciname, slname, msname
      dimension tau(nfdir), ddtddg(nfdir, nfdir), ddtddp(nfdir),
     &  dslip(nfdir), ddtddt(nfdir, 2), statev(*), dgam(nfdir),
     &  taulm(nfdir), slip(nfdir), time(2), coords(mcrd),
     &  rcoord(mcrd), drot(2, 2), temp(2), predef(2, *),
     &  props(nprops), intv(1), realv(1)
      character(8) charv(1)
      character(500) message
      type(abaqus_law) law
      real(c_double) v(2), force(2), old(most_states), new(most_states)
      real(c_double) by_mean(4), by_end(4), by_pm(2), by_p(2)
      real(c_double) before, after, p, pmean
      integer i, j, n, status
      law = chosen(nint(props(1)), nfdir, nstatv, message)
      if (message /= ' ') then
        call stdb_abqerr(-3, message, intv, realv, charv)
        return
      end if
      n = nfdir*law%vectors + law%scalars
      p = max(dble(press), 0d0)
      pmean = max(dble(press) - 0.5d0*dble(dpress), 0d0)
      v = 0
      if (lm == 2) then
C       the point was open: friction begins with the next increment,
C       and nothing is remembered
        status = bristle_start(law%handle, nfdir, v, p, old)
        statev(1:n) = old(1:n)
        return
      end if
      old(1:n) = statev(1:n)
      if (nfdir == 2) then
C       the directions on the surface have turned
        do i = 1, law%vectors
          old(2*i - 1:2*i) = matmul(dble(drot), old(2*i - 1:2*i))
        end do
      end if
      v(1:nfdir) = dgam(1:nfdir)/dtime
      status = bristle_stored_energy(law%handle, nfdir, pmean, old,
     &  before)
      status = bristle_update(law%handle, nfdir, dble(dtime), v, pmean,
     &  v, p, old, new, force, by_mean, by_end, by_pm, by_p)
      if (status /= 0) then
        call stdb_abqerr(-1, reason(), intv, realv, charv)
        pnewdt = 0.25d0
        return
      end if
      status = bristle_stored_energy(law%handle, nfdir, pmean, new,
     &  after)
C     matrices of libbristle are row major
      do i = 1, nfdir
        do j = 1, nfdir
          ddtddg(i, j) = (by_mean(nfdir*(i - 1) + j)
     &      + by_end(nfdir*(i - 1) + j))/dtime
        end do
      end do
      tau(1:nfdir) = force(1:nfdir)
      ddtddp(1:nfdir) = 0.5d0*by_pm(1:nfdir) + by_p(1:nfdir)
      ddtddt = 0
      dslip(1:nfdir) = dgam(1:nfdir)
      sfd = dot_product(force(1:nfdir), dgam(1:nfdir)) - after + before
      sed = after
      statev(1:n) = new(1:n)
      lm = 0
      end

C     ------------------------------------------------------------------
C     Abaqus/Explicit
      subroutine vexternaldb(lop, i_array, niarray, r_array, nrarray)
      use bristle_abaqus, only: read_laws
      include 'vaba_param.inc'
      dimension i_array(niarray), r_array(nrarray), intv(1), realv(1)
      character(256) outdir
      character(500) message
      character(8) charv(1)
C     0 is the start of an analysis, 4 the start of one that restarts
      if (lop /= 0 .and. lop /= 4) return
      call vgetoutdir(outdir, lenoutdir)
      call read_laws(outdir(1:lenoutdir), message)
      if (message /= ' ') call xplb_abqerr(-3, message, intv, realv,
     &  charv)
      end

C     The local directions follow the slip of each increment, so vectors
C     are remembered in global axes: STATEV has nDir numbers for each
C     vector, then the scalars.
      subroutine vfric(ftangential, statev, kstep, kinc, ncontact,
     &  nfacnod, nslvnod, nmstnod, nfricdir, ndir, nstatevar, nprops,
     &  ntemp, npred, numdeftfv, jslvuid, jmstuid, jconslvid,
     &  jconmstid, timstep, timglb, dtimprev, surfint, surfslv,
     &  surfmst, lconttype, dslipfric, fstickforce, ftangprev,
     &  fnormal, frictionwork, shape, coordslv, coordmst, dircossl,
     &  dircosn, props, areaslv, tempslv, predefslv, tempmst,
     &  predefmst)
      use bristle_abaqus
      include 'vaba_param.inc'
      dimension ftangential(nfricdir, ncontact),
     &  statev(nstatevar, nslvnod), jslvuid(nslvnod),
     &  jmstuid(nmstnod), jconslvid(ncontact),
     &  jconmstid(nfacnod, ncontact), dslipfric(ndir, ncontact),
     &  fstickforce(ncontact), ftangprev(ndir, ncontact),
     &  fnormal(ncontact), shape(nfacnod, ncontact),
     &  coordslv(ndir, nslvnod), coordmst(ndir, nmstnod),
     &  dircossl(ndir, ncontact), dircosn(ndir, ncontact),
     &  props(nprops), areaslv(nslvnod), tempslv(ncontact),
     &  predefslv(ncontact, npred), tempmst(numdeftfv),
     &  predefmst(numdeftfv, npred), intv(1), realv(1)
      character(8) surfint, surfslv, surfmst, charv(1)
      character(500) message
      type(abaqus_law) law
      real(c_double) v(2), force(2), old(most_states), new(most_states)
      real(c_double) by_mean(4), by_end(4), by_pm(2), by_p(2)
      real(c_double) axes(3, 2), area, p, largest
      integer i, k, m, at, first, status
      law = chosen(nint(props(1)), ndir, nstatevar, message)
      if (message /= ' ') then
        call xplb_abqerr(-3, message, intv, realv, charv)
        return
      end if
      first = ndir*law%vectors
      do k = 1, ncontact
        at = jconslvid(k)
        area = areaslv(at)
        if (area <= 0d0) area = 1d0
        p = max(dble(fnormal(k)), 0d0)/area
C       t1 along the slip, and t2 = n x t1
        axes = 0
        axes(1:ndir, 1) = dircossl(1:ndir, k)
        if (nfricdir == 2) axes(:, 2) = [
     &    dircosn(2, k)*axes(3, 1) - dircosn(3, k)*axes(2, 1),
     &    dircosn(3, k)*axes(1, 1) - dircosn(1, k)*axes(3, 1),
     &    dircosn(1, k)*axes(2, 1) - dircosn(2, k)*axes(1, 1)]
        do i = 1, law%vectors
          do m = 1, nfricdir
            old(nfricdir*(i - 1) + m) = dot_product(axes(1:ndir, m),
     &        dble(statev(ndir*(i - 1) + 1:ndir*i, at)))
          end do
        end do
        old(nfricdir*law%vectors + 1:nfricdir*law%vectors
     &    + law%scalars) = statev(first + 1:first + law%scalars, at)
        v = 0
        v(1:nfricdir) = dslipfric(1:nfricdir, k)/dtimprev
        status = bristle_update(law%handle, nfricdir, dble(dtimprev),
     &    v, p, v, p, old, new, force, by_mean, by_end, by_pm, by_p)
        if (status /= 0) then
          call xplb_abqerr(-3, reason(), intv, realv, charv)
          return
        end if
        do i = 1, law%vectors
          statev(ndir*(i - 1) + 1:ndir*i, at) = matmul(
     &      axes(1:ndir, 1:nfricdir),
     &      new(nfricdir*(i - 1) + 1:nfricdir*i))
        end do
        statev(first + 1:first + law%scalars, at) = new(nfricdir
     &    *law%vectors + 1:nfricdir*law%vectors + law%scalars)
C       against the slip, and no more than what would stop it
        largest = sqrt(sum(force(1:nfricdir)**2))*area
        if (largest > fstickforce(k) .and. largest > 0d0)
     &    force = force*(fstickforce(k)/largest)
        ftangential(1:nfricdir, k) = -area*force(1:nfricdir)
      end do
      end
